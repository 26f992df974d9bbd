//! Words for sentences that propose something without naming the act: a time, whom it reaches, what
//! becomes of a thing.

use crate::doors::entries::{List, list};

/// When something is to happen outside the code. Nobody sorts a list "before the weekend".
pub(in crate::doors) static TIMES: List = list!(
    "|evening|afternoon|weekend|midnight|o clock|in the meantime|tonight|this evening|this afternoon|\
    this weekend|this friday|over lunch|over night|overnight|the weekend|before the holidays|\
    before christmas|before lunch|before noon|by noon|at noon|at midnight|after hours|business hours|\
    opening hours|until monday|until friday|by friday|by monday|monday morning|tomorrow|today|\
    right away|straight away|at once|from now on|from now|from today|as of today|as of now|\
    with immediate effect|effective immediately|this instant|while they sleep|quiet hours|\
    maintenance window|for an hour|for a week|for the night|first thing|end of the day|end of day|\
    close of business|later this week|next week|black friday|",
);

/// People and places outside the project, whom an act reaches.
pub(in crate::doors) static OUTSIDERS: List = list!(
    " bidder customer everyone everybody anyone anybody people \
    public press team staff employee colleague coworker boss vendor supplier partner agency \
    contractor freelancer intern tenant patient participant attendee seller merchant shopkeeper dealer \
    reseller distributor maintainer upstream community bank warehouse tax applicant candidate student \
    pupil teacher guest visitor resident neighbour neighbor citizen voter donor university \
    lawyer legal police authority regulator investor journalist insurer auditor \
    landlord courier shipper nurse doctor clinic hospital school sponsor donor volunteer \
    sales marketing finance hr accounting payroll owner attacker competitor marketplace newsletter \
    wholesaler franchise buyer shopper holder reporter requester sender recipient family \
    engineer oncall pilot analyst salary wage bonus tariff invoice \
    payment payout refund subscription deposit discount voucher compensation ",
);

/// Running things and stored things: with these an act that is not named is more than code.
pub(in crate::doors) static HOLDINGS: List = list!(
    " offer passport quota bot signature identity authenticator scholarship operator driver publisher manager world pricing tester internet carrier court deadline ledger register roster rota heating meter valve pump plant terminal kiosk till stock inventory \
    vote claim seat hotel flight letter badge fleet vehicle tenant student parent form server host \
    machine box laptop phone handset tablet drive disk volume array nas snapshot replica primary \
    standby cluster node pool account record invoice order cart parcel shipment booking reservation \
    ticket payment payout price tier subscription contract certificate domain dns firewall guard gate \
    alarm alert pager release rollout tag fork mirror survey poll campaign mailing newsletter letter \
    mail channel inbox outbox mailbox webhook address production prod live staging checkout shop store \
    storefront site website portal gateway router switch sensor device printer camera badge key licence \
    license package quota limit ceiling autoscaler balancer traffic dump export backup copy upstream \
    index cohort repository repo wiki gist bucket share card bank money budget credit deposit queue \
    customer client subscriber member people everyone vendor supplier partner team contractor agency \
    reviewer reporter maintainer seller patient participant system database base data ",
);

/// What code, texts and pictures are made of: a sentence with one of these is about them.
pub(in crate::doors) static MATTER: List = list!(
    " subclass superclass subtype decimal digit timer polling interval game cursor scroll zoom pixel \
    overlap relation keyboard mouse coordinate inheritance code file function method class struct enum \
    trait interface type module component field property variable constant parameter param argument \
    option setting config configuration test fixture mock stub assertion spec suite example sample demo \
    prototype mockup wireframe doc docs documentation comment readme changelog docstring section \
    chapter paragraph sentence heading title text wording word label name naming string integer float \
    boolean list vector map set tuple object dict tree graph loop expression macro closure callback \
    hook handler listener event promise future thread async error exception warning log output format \
    layout style theme colour color font icon button menu sidebar header footer modal dialog form \
    dropdown checkbox tab card grid column row cell view widget tooltip toast banner spinner animation \
    image picture diagram chart table schema endpoint route api request response payload json yaml toml \
    xml csv markdown html css selector reducer prop slice library crate import refactor refactoring \
    diff lint linter formatter parser lexer cache buffer cli command script compile compiler build \
    pattern algorithm helper util utility sketch design architecture feature bug typescript javascript \
    python rust react vue svelte abstraction wrapper adapter factory singleton variant literal syntax \
    spelling translation simulator emulator benchmark summary explanation outline tutorial guide \
    template sort filter pagination timeout retry implementation implement frontend backend prompt \
    model dataset epoch notebook plan approach idea iteration refine parse render display default edge \
    logic migration validation validator query message shell ui ux placeholder null input screen page \
    level enemy sprite sound scene story landing hero sitemap state debug debugger locale language unit \
    integration coverage framework dependency glossary role scope task step part area topic todo ",
);

/// What ends a sentence that leaves the act to the one before it: "Proceed?", "Okay?", "Let it?".
pub(in crate::doors) static ELLIPSES: List = list!(
    "|proceed|go ahead|okay|ok|fine|fine with you|all right|alright|agreed|agree|deal|good to go|let it|\
    let them|let him|let her|do it|do that|do so|shall i|shall we|should i|should we|may i|can i|\
    now or later|now or tomorrow|start|start now|now|yes now|yes|yes please|continue|carry on|\
    is that ok|is that okay|any objections|objections|approve|approved|confirm|confirmed|make it so|\
    go for it|go|ready|with me|is it time|happy with that|your call|clear to go|want me to|want that|\
    permission|may it|can it|should it|accept|accepted|sounds good|works for me|send|off we go|\
    you decide|true|as proposed|as is|as planned|in that order|please do|all of them|both of them|all|\
    both|everyone|everybody|the lot|use it|reuse it|",
);

/// What a piece of code, text or picture is called: a sentence about one does nothing.
pub(in crate::doors) static TOPICS: List = list!(
    " type name label icon button tooltip diagram arrow symbol test docstring heading wording mock \
    mockup stub fixture function method class struct enum value helper calculator calculation counter \
    logic parser lexer sort stack dropdown animation color colour font placeholder caption legend \
    assertion spelling field dialog sketch handler variant constant readme glossary iterator regex \
    emoji glyph checkbox badge section paragraph chapter counter ",
);

/// Words that a sentence about code may not hold.
pub(in crate::doors) static BEWARE: List = list!(
    " production prod customer client user database db account everyone everybody anyone all every \
    server main master upstream remote real money bank people team public live skip disable ignore \
    force bypass override now tonight today anyway permanently data backup cluster host machine \
    repository repo registry store vendor partner ",
);

/// What the subject of such a sentence does, besides the verbs of development.
pub(in crate::doors) static STATES: List = list!(
    " be behave look appear sit sound read mean fit fits occur happen belong say mention represent play \
    cover round refuse reject exist point face contain hold count raise throw accept suit suits matches \
    describes conveys communicates show shows live take come ",
);

/// Verbs with which a sentence about people is about what a screen does.
pub(in crate::doors) static DESIGNS: List = list!(
    " subclass sort filter show shown displayed sorted rendered display render return list search select \
    choose inherit implement group load store save cache log parse validate highlight collapse expand \
    hide animate require refactor rename convert serialize represent import ",
);

/// What things do that end.
pub(in crate::doors) static ENDINGS: List = list!(
    " stop cease disappear vanish expire lapse die retire end go leave lifted become forgotten gone let \
    dropped ended retired paused released loosened raised lowered moved merged closed opened ",
);

/// What somebody may be given to do, behind "who".
pub(in crate::doors) static POWERS: List = list!(
    " own approve decide see get gets hear know receive sign pay access read join run lead manage review \
    hold take keep have be ",
);
