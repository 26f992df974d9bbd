//! The word lists of the door rules. Every form of a verb and every plural is understood; the product of
//! the lists are the rules, so a noun added here is guarded against every verb at once.
//!
//! Each list is one text, its entries parted (and enclosed) by spaces, or by bars where an entry has
//! several words: a table of a thousand words would make the hook larger by the pointers alone.

use super::entries::List;

/// Verbs that destroy: with any of the objects below they make a question one-way.
pub(super) static HARD_VERBS: List = List::of(
    " delete drop remove wipe purge truncate reset revoke rotate erase destroy rollback \
    overwrite nuke kill terminate discard prune clean unpublish yank invalidate scrub flush \
    expunge uninstall clear reinitialize reformat shred trash detach deactivate suspend \
    empty abandon ",
);

/// Verbs that change or release: one-way with a critical object beside them.
pub(super) static SOFT_VERBS: List = List::of(
    " change replace migrate disable enable expose share send transfer merge push ship \
    release upload downgrade archive cancel regenerate restore amend rebase rewrite submit \
    post launch edit modify alter rename move lock unlock ban block invite add give email \
    announce mirror export leak commit promote cut failover switch ",
);

/// Things whose loss hurts, and that only a destroying verb endangers.
pub(super) static ORDINARY_OBJECTS: List = List::of(
    " table row record column index collection file folder directory branch commit stash tag \
    worktree log cache message container instance environment namespace resource package \
    crate queue topic migration artifact image change work everything all order entry \
    document project workspace session subscription device object keyspace shard replica \
    snapshot archive pod deployment release service stack secret attachment upload photo \
    note event metric issue post comment ",
);

/// Things that any change endangers.
pub(super) static CRITICAL_OBJECTS: List = List::of(
    " database db schema bucket volume disk partition backup history repository repo remote \
    data dataset user account customer tenant member role access key secret token \
    credential password certificate production prod cluster server infrastructure domain \
    dns registry npm pypi main master upstream origin live website money fund payment \
    invoice firewall mfa 2fa iam vpn ssl tls pr mr trunk marketplace newsletter vault env \
    kubeconfig keychain ",
);

/// Verbs that make a question one-way whatever they act on.
pub(super) static ALWAYS: List = List::of(
    " deploy redeploy publish unpublish destroy wipe purge nuke revoke erase truncate pay \
    purchase buy refund charge authorize authorise approve grant permit sign rollback \
    deprovision decommission overwrite obliterate impersonate donate tweet escalate \
    subscribe unsubscribe ",
);

/// Things no preference decides about, whatever is done to them.
pub(super) static NEVER_TOUCHED: List = List::of(
    " credential password passphrase passcode secret token certificate production prod \
    payment invoice license gdpr pii consent permission authorization authorisation \
    authentication security vulnerability architecture oauth apikey privilege sudo payroll \
    salary ",
);

/// Phrases, as sequences of words.
pub(super) static PHRASES: List = List::of(
    "|force push|push force|push with force|force with lease|make the repository public|\
    repository public|repo public|project public|package public|git push|push tag|rm rf|\
    rm r|reset hard|hard reset|no verify|api key|ssh key|private key|access key|signing key|\
    encryption key|deploy key|go live|roll back|tear down|shut down|spin down|take down|\
    skip permissions|allow access|allow all|accept terms|accept risk|accept the risk|\
    agree to|terms of service|credit card|bank account|user data|personal data|\
    customer data|wire transfer|main branch|default branch|protected branch|breaking change|\
    merge pr|merge the pr|merge this pr|merge pull request|merge the pull request|\
    merge this pull request|merge it now|squash and merge|log out everyone|proceed anyway|\
    dangerously skip|bypass permissions|admin rights|admin access|read access|write access|\
    make public|make it public|make them public|make the repo public|open source it|\
    cut a release|cut the release|create a release|tag a release|press release|\
    factory reset|clean fd|git clean|checkout force|push origin|push mirror|drop cascade|\
    force delete|send email|send the email|send an email|send emails|send out|send mail|\
    notify all|notify customers|notify users|env file|secret key|service account|two factor|\
    legal hold|data retention|do you authorize|paid plan|paid tier|upgrade plan|spend up|\
    add funds|place order|place the order|transfer ownership|app store|play store|\
    chrome web store|make a payment|close the account|close account|lift the ban|",
);

/// The same in other languages: word stems for deleting, approving, publishing, paying and secrets,
/// found anywhere in the text, because not every language parts its words.
pub(super) const STEMS: &str = "|삭제|제거|승인|배포|머지|결제|비밀번호|초기화|권한|동의|덮어쓰|폐기|환불|강제 푸시|削除|消去|承認|公開|本番|支払|上書き|マージ|デプロイ|パスワード|\
    破棄|権限|同意|初期化|リリース|返金|删除|刪除|批准|授权|授權|发布|發布|部署|支付|付款|密码|密碼|密钥|清空|覆盖|覆蓋|权限|合并|合併|回滚|强制推送|\
    退款|lösch|entfern|genehmig|freigeb|freigabe|veröffentlich|bezahl|zahlung|passwort|\
    zugriffsrecht|berechtigung|einwillig|zustimm|zurücksetz|überschreib|verwerf|ausroll|\
    bereitstell|schlüssel|widerruf|kündig|erstatt|supprim|efface|approuv|autoris|publier|\
    publie |déploy|mot de passe|mots de passe|écras|payer|paiement|rembours|réinitialis|\
    révoqu|consentement|fusionner|eliminar|eliminac|eliminaç|eliminem|elimino|autoritz|\
    elimine |elimina |borrar|borra |borro|esborra|aprobar|aprob|autoriz|publicar|publico |\
    publica |desplegar|despliego|desplega|contraseña|contrasenya|resetear|sobrescrib|\
    sobreescri|revocar|pagar|reembols|fusiono|fusionar|apagar|apago|excluir|aprovar|aprovo|\
    implantar|senha|revogar|cancellare|cancella |cancello|approvare|approvo|approvi|pubblic|\
    pagamento|rimbors|revocare|sovrascriv|удал|стереть|одобр|утверд|опублик|публику|разверн|\
    деплой|парол|оплат|перезапис|сброс|отозв|слить|вернуть деньги|usuń|usuną|usuwa|\
    zatwierdz|opublik|wdroż|hasł|zapłac|płatno|nadpis|verwijder|goedkeur|publiceer|uitrol|\
    wachtwoord|betal|overschrijv|intrekken|silin|silme|silelim|onayl|yayınla|şifre|ta bort|\
    radera|godkänn|publicera|lösenord|";

/// Pairs of words that mean none of what their parts do.
pub(super) static COMPOUNDS: List = List::of(
    "|release note|commit message|drop shadow|drop cap|drop zone|drop down|token bucket|\
    token limit|token count|token budget|token usage|token window|token cost|token length|\
    design token|input token|output token|max token|color token|spacing token|theme token|\
    semantic token|style token|css token|lexer token|clean architecture|clean code|\
    hexagonal architecture|log level|log format|log message|log line|table component|\
    table layout|user story|user interface|user experience|user guide|user flow|user manual|\
    data type|data structure|data class|data model|data grid|data table|data fetching|\
    data point|key binding|key map|key name|key press|arrow key|shortcut key|key shortcut|\
    sort key|server component|server side|server action|client server|state store|\
    store slice|redux store|zustand store|kill switch|remote control|main thread|main menu|\
    main content|main function|main entry|main class|main color|main colour|main heading|\
    master detail|master plan|live region|live reload|live preview|live search|origin story|\
    access modifier|access pattern|role play|domain model|domain layer|domain object|\
    domain driven|sign in|sign up|sign out|plus sign|dollar sign|minus sign|post type|\
    blog post|permission denied|license header|license badge|license file|license comment|\
    charge level|pay attention|publish subscribe|publish date|publication date|\
    approve button|history api|history graph|browser history|member function|\
    member variable|user agent|change log|change detection|remove listener|move semantics|\
    data attribute|data flow|data loader|empty state|empty string|empty line|empty list|\
    empty array|email field|email address|email validation|email format|reset css|cache key|\
    i18n key|translation key|react key|object key|json key|enter key|escape key|tab key|\
    hot key|tag name|tag component|tag cloud|image ratio|image size|file name|file format|\
    file picker|file upload|index page|index signature|column order|column width|row height|\
    order by|event loop|event name|event handler|session length|token type|token colour|\
    token color|tokens per|security camera|",
);

/// What the words before it name: part of a screen.
pub(super) static HEADS: List = List::of(
    " page screen layout style color colour theme font animation transition spinner sidebar \
    navbar header footer menu card banner wording size width height padding margin border \
    shadow hover component form wizard step title heading description documentation section \
    tutorial mockup wireframe ui ux css placement position alignment spacing shape variant \
    illustration skeleton breadcrumb copywriting preview ",
);

/// The same, small enough that even a verb before it is only a name: "publish button".
pub(super) static WIDGETS: List = List::of(
    " button icon dialog modal popup tooltip checkbox toggle dropdown badge label toast \
    snackbar placeholder shortcut ",
);

/// Words that a name never makes harmless.
pub(super) static PROTECTED: List = List::of(" production prod live customer credit security ");

/// Pieces of code: a destroying verb on them endangers critical objects only.
pub(super) static SAFE_OBJECTS: List = List::of(
    " import whitespace semicolon indentation border shadow padding margin animation color \
    colour icon button tooltip underline prop parameter argument warning lint todo hint \
    emoji bullet comment newline bracket dash prefix suffix boilerplate duplication typo \
    quote gradient ",
);

/// Verbs before which "deleted users" are only looked at.
pub(super) static SHOWING: List =
    List::of(" show display list include count hide render filter sort highlight should ");

/// Words before a passive.
pub(super) static PASSIVE: List = List::of(" be been being is are was were get gets got ");

/// Words that stand for what another text names.
pub(super) static PRONOUNS: List = List::of(
    " it them this that these those now all anyway yes please both everything today \
    immediately ",
);

/// Words that part one name from the next, besides prepositions.
pub(super) static STOP_WORDS: List = List::of(
    " a an the this that these those my your our their its his her all every each any both \
    no some and or but should shall can could may might must will would do does did i we \
    you they it is are was be been am if then now not please how what which where when who \
    why let s also just only yes ok go look appear sit stay stand open work ",
);

/// Prepositions.
pub(super) static PREPOSITIONS: List = List::of(
    " of on in for to from with without at by as into onto inside within across over under \
    before after behind through during between about via per than ",
);

/// Endings of documents and pictures, whose names do nothing.
pub(super) static DOCUMENTS: List = List::of(" md mdx txt rst adoc html svg png jpg jpeg gif pdf ");
