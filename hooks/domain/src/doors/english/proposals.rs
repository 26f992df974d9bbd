//! Words for sentences that propose something without naming the act.

use crate::doors::entries::{List, list};

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
