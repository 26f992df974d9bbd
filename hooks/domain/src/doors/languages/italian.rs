//! Italian.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(" il lo la gli i di della dei che per nel un una con del alla al ai si e l a o ",),
    alone: list!(
        " deployo$ pubblic rilasci approvare$ approvo$ approvi$ approva$ approviamo autorizz pagare$ \
        pago$ paghiamo paga$ pagamento addebit rimbors acquist compro$ comprare$ compriamo sottoscriv \
        abbonament disdic disdett disdir firmare$ firmo$ firmiamo consenso$ acconsent conced permessi$ \
        permesso$ credenzial sovrascriv revoc fondere$ mergiare mergio$ mergiamo forzare$ forzo$ \
        forziamo forzato produzione$ prod$ segreto$ segreti$ confidenzial irreversibil definitivamente \
        irrevocab certificato licenza stipendi distrugg spegn spengo$ spegnere$ formatto$ formattare$ \
        carta$ fattura fatture bolletta disinstall sbarazz disattiv aggirare$ aggiro$ scavalc ",
    ),
    hard: list!(
        " elimin cancellare$ cancello$ cancella$ cancelli$ cancelliamo cancellazion rimuov rimuovo svuot \
        buttare$ butto$ buttiamo butta$ gett$ gettare$ getto$ scart annull ripristin resettare$ \
        resetto$ resettiamo azzer togliere$ tolgo$ togliamo purg ripuli disfar disfo$ tronc sopprim \
        radere$ demol distru archivi ",
    ),
    things: list!(
        " negoziant negozio$ negozi$ inquilin student insegnant professor pazient ospite$ ospiti$ \
        genitor partecipant autore$ autori$ candidat autist cittadin donator ospedale scuola venditor \
        acquirent volontar sponsor$ corrier gente$ persone$ record$ vecchi$ vecchie$ vecchio$ \
        pagamenti$ pagamento$ importo$ saldo$ fisco$ avvocato macchine dischi istanz fornitori giu$ \
        cliente clienti utente utenti abbonat membr team$ stagista colleg capo$ fornitor partner$ \
        stampa$ mondo$ tutti$ tutte$ tutto$ pubblic account$ conto$ conti$ database$ db$ base$ server$ \
        cluster produzione linea$ sito$ siti$ dominio dns$ traffico porta$ porte$ firewall certificat \
        chiave$ chiavi$ accesso$ accessi$ diritt admin amministrat root$ fattura carta$ banca$ soldi$ \
        denaro$ prezz contratt abbonament condizion termini$ backup copia$ copie$ dati$ cronologia \
        storia$ storico$ commit$ ramo$ rami$ principale$ main$ master$ remoto$ repository$ repo$ \
        internet$ rete$ cloud allarm avvisi$ monitor verific controll revision protezion macchin disco$ \
        bucket registr mail$ email$ staging ordini$ revisione$ ",
    ),
    code: list!(
        " import importazion comment spazi$ spazio$ indentazion variabil parametr funzion metodo$ \
        metodi$ classe$ classi$ pulsant bottone icona$ color bord ombr todo$ avvertiment duplicat test$ ",
    ),
    ordinary: list!(
        " quale quali che$ come$ dove$ quando$ quant chi$ nome$ rinomin chiam test esegu mostr ordino$ \
        ordinare$ ordin format aggiungo$ aggiungere$ creo$ creare$ scrivo$ implement uso$ usare$ usiamo \
        utilizz document leggo$ leggere$ guard cerc riproduc corregg confront misur mock simul refactor \
        divid continu proseg cominc inizi genero$ generare$ install aggiorn riassum spieg raggrupp \
        valid prefer scegli scelg ",
    ),
    phrases: list!(
        "|far sapere|facciamo sapere|faccio sapere|cosi com e|facciamo il salto|fare il salto|si parte|\
        partiamo|diamo il via|mandiamo fuori|far sparire|facciamo sparire|chiudere i rubinetti|\
        chiudere bottega|giriamo pagina|lascio entrare|far entrare|faccio entrare|dire di si|\
        non serve piu|non servono piu|nessuno usa|bottone rosso|versione precedente|tiro giu|tirare giu|\
        buttare giu|butto giu|via tutto|via libera|fuori tutto|online|in linea|in produzione|in prod|\
        dal vivo|da zero|da capo|dall inizio|mi libero|ci liberiamo|liberar* di|liberar* dei|libero di|\
        libero dei|butt* via|butto tutto|nel cestino|nella spazzatura|a tuo nome|a suo nome|a nome tuo|\
        a mio nome|in vece tua|per sempre|una volta per tutte|senza ritorno|luce verde|dare accesso|\
        do accesso|do l accesso|dare l accesso|l accesso|accesso a|i permessi|i diritti|\
        rendere pubblic*|rendo pubblic*|rendiamo pubblic*|rendo .. pubblic*|a tutti|per tutti|\
        a tutto il mondo|tutto il mondo|ai clienti|al cliente|agli utenti|fare pulizia|fare spazio|\
        liberare spazio|dire addio|lasciare andare|lascio andare|con la forza|di forza|push forzato|\
        nonostante|lo stesso unisc*|comunque|senza revisione|senza chiedere|senza conferma|senza backup|\
        senza test*|senza controll*|fuori linea|fuori servizio|la carta|la fattura|il conto|i termini|\
        le condizioni|il contratto|come root|come admin*|i soldi|in chiaro|a terzi|fuori dall azienda|\
        verso l esterno|salto la|salto il|salto i|apro la porta|al fornitore|staccare la spina|\
        stacco la spina|tornare indietro|torno indietro|ultimi commit|premere il bottone|\
        faccio il merge|fare il merge|faccio il deploy|fare il deploy|faccio push|fare push|\
        faccio il push|mando in|manda in|metto fuori|",
    ),
};
