//! Words for sentences in which the asker proposes to act: "Shall I …", "Put it …".

use crate::doors::entries::{List, list};

/// Sensitive things: an act that is not known to be an ordinary one of development makes a question with
/// them one-way.
pub(in crate::doors) static SENSITIVE: List = list!(
    " terraform security authentication retention policy quorum webhook nda cookie team org ip subnet gateway queue topic pid pod instance \
    container usb stick cron partition dataset mail email message project repository repo organisation \
    pr mr ticket tenant customer client user subscriber member employee staff colleague boss vendor \
    supplier partner agency contractor intern press public everyone everybody anyone anybody people \
    audience world internet inbox newsletter account billing payment bill invoice sale purchase price \
    card bank deposit money refund fee contract agreement terms condition licence license deal offer \
    subscription budget salary wage server cluster host machine box disk drive volume database db \
    replica backup dump bucket production prod live site website domain dns traffic port firewall vpn \
    network certificate cert key password secret credential access permission admin administrator alarm \
    alert monitoring gate approval protection guard lock history remote main master upstream release \
    launch rollout cutover marketplace registry store cloud router device phone printer region node \
    pool record reservation booking address trial patient citizen student voter donor guest visitor \
    regulator investor auditor journalist reviewer quota sandbox authority court police lawyer insurer \
    tax government company organization community owner ownership visibility claim loan insurance \
    mortgage visa passport election poll survey copyright trademark patent balancer schedule ",
);

/// Verbs of ordinary development: with these, sensitive things are only the subject of the code.
pub(in crate::doors) static ORDINARY: List = list!(
    " aim add write create use name call rename document test mock stub refactor extract split implement \
    build generate design draw sketch plan explain describe summarize summarise review read look check \
    inspect list show print search find investigate analyze analyse explore compare measure benchmark \
    profile debug reproduce verify validate format lint fix update bump upgrade install import include \
    keep wait continue proceed run try prefer support handle log return cache sort group order align \
    round center centre convert port simplify improve optimize optimise reuse wrap type annotate \
    comment translate localise localize model define declare configure parse render display highlight \
    collapse expand prototype draft note mention cover assume treat consider stick pick choose select \
    ask think see watch view fetch query count seed nest index pin vendor inline bundle compile \
    transpile target polish represent store save load structure organise organize place set be start \
    begin finish hide rewrite connect link join map filter limit restrict require assign attach bind \
    label tag mark color colour style theme shorten lengthen widen narrow decrease double repeat retry \
    poll listen subscribe serve encode decode serialize serialise escape sanitize sanitise hash encrypt \
    trim pad crop resize scale zoom scroll drag cluster partition shard batch stream paginate page \
    buffer queue schedule trigger emit dispatch await spawn fork scaffold bootstrap initialize \
    initialise instantiate construct compose inherit abstract generalise generalize specialise \
    specialize normalise normalize deduplicate dedupe combine concatenate integrate embed insert append \
    prepend reorder rearrange rework revisit redo clarify elaborate discuss present recommend suggest \
    propose estimate calculate compute derive infer detect recognise recognize identify track trace \
    monitor report visualise visualize plot chart graph animate illustrate demonstrate know learn \
    understand believe expect need want like mean care worry focus concentrate prioritise prioritize \
    scope outline specify spell word phrase rephrase stay remain default fall hardcode harden guard cap \
    clamp throttle debounce memoize memoise lazy preload prefetch warm precompute reference point refer \
    cite quote type-check typecheck dry commit pause tidy unnest hoist lift lowercase uppercase \
    capitalise capitalize hyphenate abbreviate number enumerate iterate recurse traverse parallelise \
    parallelize vectorise async print-debug sanity double-check recheck retest re-run rerun rebuild \
    reread rethink restructure reformat reindent indent outdent dedent minify obfuscate gzip compress \
    decompress unzip zip unpack pack backport proofread copyedit dive dig delve research google \
    bookmark screenshot diagram brainstorm wireframe roughly finetune tune tweak adjust adapt extend \
    enhance flesh solve tackle address resolve work code program script automate setup prepare \
    instrument assert guarantee ensure catch rescue recover degrade fallback parametrise parametrize \
    parameterise parameterize template ",
);

/// Verbs that development and everything else have in common: ordinary with a piece of work alone.
pub(in crate::doors) static DOUBTFUL: List = list!(
    " send share tell answer reply close open stop remove delete replace switch turn bring take give \
    move copy apply skip ignore let migrate change clean edit restart merge expose accept sign override \
    raise lower increase end export put get record make pass leave break clear go do lay cut swap throw \
    hand drop bypass push pull lose lock allow finalise finalize say have come host clone submit ",
);

/// Verbs that a sentence may begin with to order an act that is no ordinary one of development.
pub(in crate::doors) static ORDERS: List = list!(
    " kick boot ban block mute silence restart reboot drain retire sunset pull cut kill wire bill \
    invoice order buy sell book cancel renew extend trust invite notify inform warn contact phone \
    message text email mail ping announce launch ship roll flip swap point redirect reroute lock unlock \
    free lose scrap ditch toss chuck dump zap shut halt freeze bar lift loosen waive hand pass forward \
    leak force push promote demote fire hire upgrade downgrade top settle close format expire cordon \
    resize scale enroll reindex vacuum stop resume decrypt undeploy delete remove wipe purge truncate \
    reset revoke rotate erase destroy rollback overwrite nuke discard prune unpublish yank invalidate \
    scrub flush expunge uninstall clear shred trash suspend abandon activate reveal sideload notarize \
    notarise execute squash amend convert backfill report unfollow unfriend disband override disable \
    deactivate detach failover terminate subscribe unsubscribe register reserve attach enable open \
    submit restore rewind replay requeue reissue reassign transfer expose whitelist allowlist blacklist \
    provision opt join leave quit resign wake sleep overrule intercept sniff scan spoof drop unlink \
    unmount mount unassign disconnect disown displace relocate depublish relicense reprovision dissolve \
    claim flash reflash reimage enrol unenrol blank nudge chase remind pair unpair brick unbind merge \
    reject deny withdraw refuse evict ",
);

/// What makes a sensitive thing part of the code: "server module", "users table component".
pub(in crate::doors) static IN_CODE: List = list!(
    " mcp module type class struct enum interface trait function method component model schema test tests \
    example fixture mock stub field property column param parameter argument option flag variable \
    constant helper util service repository controller handler hook page form view screen section list \
    card name label text copy title format style size width layout icon button colour color story code \
    logic library package crate docs documentation readme diagram chart api endpoint route url path \
    response request error message log line object prop state store action reducer selector query dto \
    entity id count validation parser config setting default value address timezone locale side \
    rendering sdk dev demo local sample dummy memory wrapper adapter driver client template spec \
    snapshot version mode time window pointer ",
);

/// What a sentence begins with in which the asker only asks what something is or should be.
pub(in crate::doors) static ASKING: List =
    list!(" which what how where when who whose why whether ");

/// Words between the asker and the act.
pub(in crate::doors) static ADVERBS: List = list!(
    " now just also then still already really simply first please quickly finally maybe actually even \
    instead ahead and to by quietly silently automatically directly straight immediately again always \
    all either both rather ",
);

/// Auxiliaries before the asker.
pub(in crate::doors) static AUXILIARIES: List =
    list!(" shall should can could may might do must will would am are did ");

/// Words before "to" with which the asker asks for leave.
pub(in crate::doors) static LEAVE: List = list!(
    " ok okay fine alright ready time safe good happy allowed about permission like want going plan need \
    go me us blessing clear right comfortable free authority approval nod ",
);

/// What development works on: an act on it is an ordinary one.
pub(in crate::doors) static WORK: List = list!(
    " code snippet codebase checkpoint cleanup epic sprint work-order roadmap file function method class struct enum trait interface type module component field property \
    variable constant parameter param argument option flag setting config configuration test tests \
    fixture mock stub assertion snapshot suite spec case example sample demo prototype proof doc docs \
    documentation comment readme changelog note docstring section chapter paragraph sentence heading \
    title text wording word label name naming message string number integer float boolean array list \
    vector map set tuple object dict dictionary tree graph queue stack heap iterator loop branch \
    condition expression statement macro generic lifetime closure callback hook handler listener event \
    promise future thread lock-free async error exception warning panic log output input stdout stderr \
    result return value default format layout style theme colour color font icon button link menu \
    sidebar header footer modal dialog form dropdown checkbox tab panel card grid column row cell page \
    view screen widget tooltip toast spinner animation image picture diagram chart table schema query \
    index migration endpoint route api request response payload json yaml toml xml csv markdown html \
    css selector reducer state prop context store slice library dependency package crate import export \
    fixup version approach idea design plan step task part piece topic question issue bug feature \
    refactoring refactor change patch diff commit line lines block brace indentation whitespace space \
    bracket quote comma semicolon sort sorting search filter pagination cursor offset limit timeout \
    retry cache buffer pool size length width height margin padding border cli command subcommand \
    script target build compile compiler linter lint formatter parser lexer token ast regex pattern \
    algorithm structure data-structure abstraction helper util utility service-class wrapper adapter \
    builder factory singleton trait-object enemy player game level score sprite tile sound character \
    weapon coin story scene cutscene screenshot summary detail explanation overview outline answer \
    suggestion recommendation fix workaround solution alternative tradeoff trade benchmark profile \
    measurement performance memory allocation complexity runtime typescript javascript python rust node \
    react vue svelte angular strict mode draft template folder directory path root-cause dashboard \
    sitemap glossary tutorial guide quickstart faq it-works assumption requirement criteria constraint \
    scope goal estimate milestone deadline first second third next previous same similar simpler \
    shorter longer faster slower better cleaner stricter looser browser editor terminal ide debugger \
    repl console window simulator emulator playground notebook enum-variant variant literal keyword \
    operator syntax grammar spelling language translation locale unit-test e2e integration mockup \
    wireframe viewport breakpoint scroll upward downward inward outward leftward hover click focus \
    keyboard shortcut mouse touch gesture device-mode dark light body options props args stage phase \
    round iteration pass cycle session-notes todo checklist ticket-description acronym term definition \
    figure caption footnote citation dockerfile makefile workflow pipeline-config gitignore tsconfig \
    eslintrc editorconfig lockfile manifest convention sql ",
);

/// Words that name nothing: an act on them alone may be any.
pub(in crate::doors) static LITTLE: List = list!(
    " here ahead further deeper next first now later together through this that it them these those both \
    everything anything something nothing one ones you me us him her more less again back off away down \
    up out so same else started bit quick short little long big small new old other another once twice \
    few many much way thing things time moment today tonight tomorrow yourself myself itself like such \
    enough hand minute while second left ",
);

/// Verbs that say nothing by themselves.
pub(in crate::doors) static VAGUE: List =
    list!(" make do have get come cut go leave keep say tell answer change edit stay ");

/// Verbs of development that act on more than code when a vital thing is what they act on.
pub(in crate::doors) static NEUTRAL: List = list!(
    " run rebuild save store reveal activate enable set use update fix load import configure rename \
    convert assign connect link attach start install setup rewrite port patch upgrade bump resize scale \
    sync join adjust limit restrict require commit repeat rerun invoke call execute print log hash \
    encode embed insert append persist create add generate build ask ",
);

/// Things that no act of these should touch unasked, but for pieces of code with their names.
pub(in crate::doors) static VITAL: List = list!(
    " server customer production prod live everyone everybody card owner ownership bucket billing \
    firewall domain dns cluster disk machine host internet staff employee salary bank vendor supplier \
    contractor intern admin administrator root permission password subscriber tenant payroll invoice \
    payment subscription contract money refund certificate website homepage cloud visibility origin \
    account paid upstream maintainer partner client everybody ",
);
