//! Portuguese.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(
        " o os as um uma da dos do de em no na com para por que devo posso ao aos se e a ",
    ),
    alone: list!(
        " avisar$ avisamos$ implant publicar$ publico$ publicamos publique$ aprov autoriz pagar$ pago$ \
        pagamos pague$ cobrar$ cobro$ cobramos reembols estorn comprar$ compro$ compramos compra$ \
        contrat assinar$ assino$ assinatura consentim conced permissao permissoes senha$ senhas$ \
        sobrescrev revog mesclar$ mesclo$ mesclamos mergear forcar$ forco$ forcamos forcado producao \
        prod$ credencia segredo$ segredos$ confidencia irreversiv definitivamente irrevoga pular$ pulo$ \
        pulamos certificado licenca salario destrui aniquil formatar$ desligar$ desligo$ desligamos \
        derrub cartao fatura faturas boleto desinstal livrar$ desfazer cancelar$ cancelo$ ",
    ),
    hard: list!(
        " elimin apagar$ apago$ apagamos apague$ excluir$ excluo$ excluimos exclusao deletar$ deleto$ \
        deletamos remover$ removo$ removemos remova$ esvazi limpar$ limpo$ limpamos purgar$ jogar$ \
        jogamos descart desfazer$ desfaco$ desfazemos reverter$ reverto$ revertemos resetar$ reseto$ \
        zerar$ redefin reinici tirar$ tiro$ tiramos desativ anul truncar$ trunco$ suprim derrub \
        quebrar$ ",
    ),
    things: list!(
        " lojista loja$ lojas$ inquilin estudante aluno aluna professor paciente convidad participante \
        autor$ autora$ autores$ leitores$ candidato motorista cidad doador vizinh hospital escola \
        vendedor comprador voluntari patrocinad entregador hospede gente$ pessoas$ registros$ antigos$ \
        antigas$ velhos$ velhas$ pagamentos$ pagamento$ valor$ saldo$ receita$ advogado maquinas discos \
        instancia fornecedores backups$ cliente clientes usuario usuarios utilizador assinante membro \
        equipe$ equipa$ estagiari colega chefe$ fornecedor parceiro imprensa mundo$ todos$ todas$ tudo$ \
        publico$ publica$ conta$ contas$ banco$ base$ bases$ servidor cluster producao ar$ site$ sites$ \
        dominio dns$ trafego porta$ portas$ firewall certificado chave$ chaves$ acesso$ acessos$ \
        direito admin administrad root$ fatura cartao dinheiro preco$ precos$ contrato$ condicoes$ \
        termos$ copia$ copias$ backup dados$ historico commits$ branch$ ramo$ principal$ main$ master$ \
        remoto$ remota$ repositorio repo$ internet$ rede$ nuvem$ alarme alerta$ alertas$ monitor \
        verificacao controle revisao protecao maquina disco$ bucket registro$ correio email$ emails$ \
        mail$ staging pedidos$ ",
    ),
    code: list!(
        " csv$ import imports importacoes comentario espaco espacos indentacao variavel parametro funcao \
        metodo classe botao icone cor$ cores$ borda sombra todo$ aviso$ duplicad teste testes ",
    ),
    ordinary: list!(
        " qual quais que$ como$ onde$ quando$ quanto quanta quem$ nome$ renome renomei chamo$ chamar$ \
        test execut mostro$ mostrar$ ordeno$ ordenar$ ordena format adicion crio$ criar$ implement uso$ \
        usar$ usamos utiliz document leio$ ler$ vejo$ ver$ procur busc reproduz corrij corrig compar \
        mock simul refator divid continu sigo$ seguir$ comec gero$ gerar$ instal atualiz resum explic \
        agrup valid prefer escolh ",
    ),
    phrases: list!(
        "|fazer saber|dar a saber|que saibam|assim mesmo|tal e qual|damos o salto|dar o salto|pode subir|\
        pode ir|vamos nessa|por no mundo|fechar a torneira|virar a chave|viramos a chave|deixar entrar|\
        deixo .. entrar|sinal verde|dizer sim|nao e mais usad*|nao serve mais|ninguem mais usa|\
        ninguem usa|botao vermelho|versao anterior|dar adeus|passar a regua|no ar|ao ar|fora do ar|\
        do ar|ao vivo|em producao|para producao|em prod|pra producao|do zero|desde o zero|do comeco|\
        me livrar|nos livrar|livrar* de|livrar* dos|livrar* das|jog* tudo|jog* fora|joga* .. fora|\
        fora tudo|no lixo|para o lixo|na lixeira|em seu nome|em teu nome|no seu nome|em meu nome|\
        da sua parte|para sempre|de uma vez|sem volta|nao tem volta|luz verde|dar acesso|dou acesso|\
        dar permiss*|dou permiss*|o acesso|acesso a|acesso de|acesso ao|tornar publico|torno publico|\
        torno .. publico|tornar .. publico|tornar .. publica|tornamos .. public*|a todos|para todos|\
        para todas|pra todos|para todo mundo|todo mundo|todo o mundo|aos clientes|ao cliente|\
        aos usuarios|para os clientes|fazer limpeza|abrir espaco|liberar espaco|dizer adeus|deixar ir|\
        a forca|na marra|push forcado|apesar d*|mesmo assim|sem revisar|sem revisao|sem perguntar|\
        sem confirmar|sem confirmacao|sem backup|sem testar|dar baixa|dou baixa|o cartao|a fatura|\
        a conta|os termos|as condicoes|o contrato|como root|como admin*|o dinheiro|em texto puro|\
        em texto plano|a terceiros|para terceiros|fora da empresa|pulo a|pulo o|abrir a porta|\
        ao fornecedor|puxar a tomada|da tomada|voltar atras|ultimos commits|apertar o botao|\
        faco o deploy|faco deploy|fazer deploy|fazer o deploy|faco o merge|faco merge|fazer o merge|\
        fazer merge|faco push|faco o push|fazer push|aceito os|",
    ),
};
