//! The word lists of the door rules. Every form of a verb and every plural is understood; the product of
//! the lists are the rules, so a noun added here is guarded against every verb at once.
//!
//! Each list is one text, its entries parted (and enclosed) by spaces, or by bars where an entry has
//! several words: a table of a thousand words would make the hook larger by the pointers alone.

use crate::doors::entries::{List, list};

/// Verbs that destroy: with any of the objects below they make a question one-way.
pub(in crate::doors) static HARD_VERBS: List = list!(
    " delete drop remove wipe purge truncate reset revoke rotate erase destroy rollback overwrite nuke \
    kill terminate discard prune clean burn unpublish yank invalidate scrub flush expunge uninstall clear \
    reinitialize reformat shred trash detach deactivate suspend empty abandon scrap ditch evict expel ",
);

/// Verbs that change or release: one-way with a critical object beside them.
pub(in crate::doors) static SOFT_VERBS: List = list!(
    " change replace migrate disable enable expose share send transfer merge push ship release upload \
    downgrade archive cancel regenerate restore amend rebase rewrite submit post launch edit modify \
    alter rename move lock unlock ban block invite add give email announce mirror export leak commit \
    promote failover switch ",
);

/// Things whose loss hurts, and that only a destroying verb endangers.
pub(in crate::doors) static ORDINARY_OBJECTS: List = list!(
    " table row record column index collection file folder directory branch commit stash tag worktree \
    log cache message container instance environment namespace resource package crate queue topic \
    migration artifact image change work everything all order entry document project workspace session \
    subscription device object keyspace shard replica snapshot archive pod deployment release service \
    stack secret attachment upload photo note event metric issue post comment module process pid job \
    pipeline workflow runner webhook booking reservation ticket thread channel video contact calendar \
    invite invitation rule policy constraint trigger procedure extension integration connection feed \
    article partition stick drive usb dump blob layer bookmark mailbox inbox conversation chat backup \
    cron tenant label sandbox preview ",
);

/// Things that any change endangers.
pub(in crate::doors) static CRITICAL_OBJECTS: List = list!(
    " database db schema bucket volume disk partition backup history repository repo remote data dataset \
    user account customer tenant member role access key secret token credential password certificate \
    production prod cluster server infrastructure domain dns registry npm pypi main master upstream \
    origin live website money fund payment invoice firewall mfa 2fa iam vpn ssl tls pr mr trunk \
    marketplace newsletter vault env kubeconfig keychain slack discord telegram twitter linkedin mastodon \
    reddit facebook instagram youtube dockerhub efuse fuse ",
);

/// Verbs that make a question one-way whatever they act on.
pub(in crate::doors) static ALWAYS: List = list!(
    " deploy redeploy publish unpublish destroy wipe purge nuke revoke erase truncate pay purchase buy \
    refund charge authorize authorise approve grant permit sign rollback deprovision decommission \
    overwrite obliterate impersonate donate tweet escalate subscribe unsubscribe whitelist allowlist \
    blacklist provision anonymize anonymise reimburse sideload jailbreak exfiltrate repartition \
    undeploy relicense ",
);

/// Things no preference decides about, whatever is done to them.
pub(in crate::doors) static NEVER_TOUCHED: List = list!(
    " captcha payslip credential password passphrase passcode secret certificate production prod payment invoice \
    gdpr pii consent permission authorization authorisation \
    apikey privilege sudo destructive nameserver payroll salary yolo token vulnerability license oauth jwt ",
);

/// Phrases, as sequences of words.
pub(in crate::doors) static PHRASES: List = list!(
    "|ignore .. warning|security warning|force push|push force|push with force|force with lease|make the repository public|\
    repository public|repo public|project public|package public|git push|push tag|rm rf|rm r|reset hard|\
    hard reset|no verify|api key|ssh key|private key|access key|signing key|encryption key|deploy key|\
    go live|roll back|tear down|shut down|spin down|take down|skip permissions|allow access|allow all|\
    accept terms|accept risk|accept the risk|agree to|terms of service|credit card|bank account|\
    user data|docker hub|public page|public site|public website|public channel|personal data|customer data|wire transfer|main branch|default branch|protected branch|\
    breaking change|merge pr|merge the pr|merge this pr|merge pull request|merge the pull request|\
    merge this pull request|merge it now|squash and merge|log out everyone|proceed anyway|\
    dangerously skip|bypass permissions|admin rights|admin access|read access|write access|make public|\
    make it public|make them public|make the repo public|open source it|cut a release|cut the release|\
    create a release|tag a release|press release|factory reset|clean fd|git clean|checkout force|\
    push origin|push mirror|drop cascade|force delete|send email|send the email|send an email|\
    send emails|send out|send mail|notify all|notify customers|notify users|env file|secret key|\
    service account|two factor|legal hold|data retention|do you authorize|paid plan|paid tier|\
    upgrade plan|spend up|add funds|place order|place the order|transfer ownership|app store|play store|\
    chrome web store|make a payment|close the account|close account|lift the ban|",
);

/// What is only written, and may be approved of.
pub(in crate::doors) static WRITINGS: List = list!(
    " plan roadmap spec specification design doc document section draft framework strategy outline approach \
    structure definition proposal requirement story test scope summary goal graph node breakdown phase adr \
    prd brief brainstorm description wording persona premise direction decomposition epic sprint layout ",
);

/// Phrases of force, which nothing opens.
pub(in crate::doors) static FORCE: List = list!(
    "|force push|push force|push with force|force with lease|rm rf|rm r|reset hard|hard reset|\
    drop cascade|force delete|factory reset|",
);

/// Pairs of words that mean none of what their parts do.
pub(in crate::doors) static COMPOUNDS: List = list!(
    "|clean tree|clean working|clean slate|clean state|deploy log|deploy status|clear enough|clear that|adds token|add token|use token|more token|fewer token|token time|from npm|from yarn|npm install|npm test|npm run|release build|release profile|release mode|\
    payment module|payments module|billing module|auth module|security module|payment class|payment api|\
    release note|commit message|drop shadow|drop cap|drop zone|drop down|token bucket|token limit|\
    token count|token budget|token usage|token window|token cost|token length|design token|input token|\
    output token|max token|color token|spacing token|theme token|semantic token|style token|css token|\
    lexer token|clean architecture|clean code|hexagonal architecture|log level|log format|log message|\
    log line|table component|table layout|user story|user interface|user experience|user guide|\
    user flow|user manual|data type|data structure|data class|data model|data grid|data table|\
    data fetching|data point|key binding|key map|key name|key press|arrow key|shortcut key|key shortcut|\
    sort key|server component|server side|server action|client server|state store|store slice|\
    redux store|zustand store|kill switch|remote control|main thread|main menu|main content|\
    main function|main entry|main class|main color|main colour|main heading|master detail|master plan|\
    live region|live reload|live preview|live search|origin story|access modifier|access pattern|\
    role play|domain model|domain layer|domain object|domain driven|sign in|sign up|sign out|plus sign|\
    dollar sign|minus sign|post type|blog post|permission denied|license header|license badge|\
    license file|license comment|charge level|pay attention|publish subscribe|publish date|\
    publication date|approve button|history api|history graph|member function|member variable|\
    user agent|change log|change detection|remove listener|move semantics|data attribute|data flow|\
    data loader|empty state|empty string|empty line|empty list|empty array|email field|email address|\
    email validation|email format|reset css|cache key|i18n key|translation key|react key|object key|\
    json key|enter key|escape key|tab key|hot key|tag name|tag component|tag cloud|image ratio|\
    image size|file name|file format|file picker|file upload|index page|index signature|column order|\
    column width|row height|order by|event loop|event name|event handler|session length|token type|\
    token colour|token color|tokens per|security camera|top right|top left|top corner|top bar|top level|\
    merge sort|merge step|token class|call site|",
);

/// What the words before it name: part of a screen.
pub(in crate::doors) static HEADS: List = list!(
    " flow page screen layout style color colour theme font animation transition spinner sidebar navbar \
    header footer menu card banner wording size width height padding margin border shadow hover \
    component form wizard step title heading description documentation section tutorial mockup \
    wireframe ui ux css placement position alignment spacing shape variant illustration skeleton \
    breadcrumb copywriting preview template type rounding formatting parsing numbering rendering ",
);

/// The same, small enough that even a verb before it is only a name: "publish button".
pub(in crate::doors) static WIDGETS: List = list!(
    " button icon dialog modal popup tooltip checkbox toggle dropdown badge label toast snackbar \
    placeholder shortcut ",
);

/// Words that a name never makes harmless.
pub(in crate::doors) static PROTECTED: List =
    list!(" production prod live customer credit security ");

/// Pieces of code: a destroying verb on them endangers critical objects only.
pub(in crate::doors) static SAFE_OBJECTS: List = list!(
    " import whitespace semicolon indentation border shadow padding margin animation color colour icon \
    button tooltip underline prop parameter argument warning lint todo hint emoji bullet comment \
    newline bracket dash prefix suffix boilerplate duplication typo quote gradient code prototype \
    design function method helper abstraction indirection wrapper getter setter struct trait ",
);

/// Verbs before which "deleted users" are only looked at.
pub(in crate::doors) static SHOWING: List =
    list!(" show display list include count hide render filter sort highlight should ");

/// Words before a passive.
pub(in crate::doors) static PASSIVE: List = list!(" be been being is are was were get gets got ");

/// Words that stand for what another text names.
pub(in crate::doors) static PRONOUNS: List = list!(
    " it them this that these those now all anyway yes please both everything today immediately ",
);

/// Words that part one name from the next, besides prepositions.
pub(in crate::doors) static STOP_WORDS: List = list!(
    " a an the this that these those my your our their its his her all every each any both no some and \
    or but should shall can could may might must will would do does did i we you they it is are was be \
    been am if then now not please how what which where when who why let s also just only yes ok go \
    look appear sit stay stand open work ",
);

/// Prepositions.
pub(in crate::doors) static PREPOSITIONS: List = list!(
    " of on in for to from with without at by as into onto inside within across over under before after \
    behind through during between about via per than ",
);

/// Endings of documents and pictures, whose names do nothing.
pub(in crate::doors) static DOCUMENTS: List =
    list!(" md mdx txt rst adoc html svg png jpg jpeg gif pdf ");
