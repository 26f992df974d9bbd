//! English phrases about dealings with others: people, money, access, consent. Written as in `phrases.rs`.

use crate::doors::entries::{List, list};

/// Telling people, and speaking in somebody's name.
pub(in crate::doors) static PEOPLE: List = list!(
    "|hear .. from us/me|on call person/engineer/rota/team/phone|asked whether|wants to know|\
    want to know whether|wait for .. answer/reply/yes/word/signature|\
    waiting for .. answer/reply/yes/word/signature|needs an answer|put us/me/them down|speak .. for us|\
    alert the/them/everyone/all/our customer/team/user|announce it|announce the|announce to|\
    answer the customer/client/ticket/issue/email/mail|answer them|archive the/it/them/all/every|as you|\
    book the/a .. flight/room/table/meeting/hotel|break the news|call the customer|\
    close .. ticket/issue/account|close all|close every|close it as|close them all|closes .. account|\
    comment on .. issue/ticket/pr|comment on the/it/their issue/ticket/pr|drop .. a line|drop .. a note|\
    drop .. an email|everybody in the company|everyone in the company|file .. with|file it with|\
    for you on|get in touch|go public|go to press|going public|gone public|got in touch|hand in|\
    hand it in|handing in|in as you|in her name|in his name|in my name|in our name|in their name|\
    in your name|in your place|in your stead|inform the/them/everyone/all/him/her/every/our/customer|\
    invitation for|invitation to|invite them/him/her/everyone/all/the|leave a comment on|\
    let the/all/our .. know|let them/everyone/everybody/customer/user/people/client/press/subscriber/\
    team/him/her/world know|lodge .. with|mail .. out|mail all|mail everyone|mail it|mail the|mail them|\
    mailing list|make .. repo/repository/bucket/project/site/note/document/list/report public/visible|\
    make it/this/that/them/everything public|make the .. repository/repo/bucket/page/project/site/gist/\
    board/channel/package/list/document/doc/note/data/folder/link/calendar/dashboard/video/source/code/\
    file/report/wiki/image/dataset/branch/fork public/visible/available/open|name on it|\
    notify the/them/everyone/all/him/her/every/our/customer|on behalf of|on my behalf|on our behalf|\
    on your behalf|page on|page the|phone the|ping the/them/everyone/him/her/team/customer/vendor/\
    maintainer/author/owner|post .. on|post .. to|post it|post them|post this|press release|\
    put .. on the internet/web/website/site/net|put .. online|put .. up on|put it up|put online|\
    put them up|put this up|put up on|put your name|reach out|reaching out|reply for|reply in|reply on|\
    reply to the/them/him/her/all/everyone/customer|\
    respond to the customer/client/issue/ticket/comment/review|rest of the world|ring the|ring them|\
    schedule .. meeting with|send .. invitation|send .. to .. customer/client/people/subscriber/user/\
    member/everyone|send .. to everyone/them/customer/client/people/him/her/subscriber/vendor|\
    send .. to the/all/our/every/everyone .. customer/client/user/list/team/subscriber/vendor/people/\
    partner/press|send to the/them/all/everyone/him/her|send word|sent to the|sign for you|speak for|\
    spread the word|submit it|submit the|submit this|tell all|tell everyone/everybody/them/him/her/\
    people/customer/user/client|tell our|tell the customer/client/world/press/public/team/boss/vendor/\
    whole/others/community/company/board/subscriber/list|text the|text them|the internet|the invitation|\
    the word out|the world|to the list|under your name|use your name|visible to everyone/everybody/\
    public/internet/whole/world/anyone/all|visible to the|vote .. for|vote for|\
    warn the/them/everyone/all/our customer|whole company|whole internet|whole list|whole world|\
    write .. back|write back|write them|write to the/them/him/her/all/our/every/everyone/customer/\
    client/user/press/vendor/support|your name on|your name to|your name under|",
);

/// Money and contracts.
pub(in crate::doors) static MONEY: List = list!(
    "|a contract|free month|free period|free trial|free tier|paid one|paid tier|trial .. end|\
    trial .. over|trial .. expire|trial .. run|business tier/plan|pro tier|team tier|\
    enterprise tier/plan|bigger package|larger package|larger plan|next plan|a month|per month|per seat|\
    a year|per year|yearly fee|monthly fee|a deposit|accept .. quote|accept the offer|and order|\
    auto renew|bank card|bid on|bigger plan|bill .. customer/client|bill them/him/her/the/us/it|\
    billed for|borrow money|buy it|buy the|buy them|cash out|change .. price|company account|\
    company card|complete .. purchase|complete checkout|complete the order|confirm .. purchase|\
    confirm the order|cut .. price|debit card|donate it|draw .. from|finish the order|foot the bill|\
    from the deposit|get .. more seats|give .. back|give .. discount|give back|go ahead and order|\
    go for the .. plan|halve .. price|higher plan|higher tier|hire a|hire the|increase .. price|\
    lease the|loan of|lower .. price|make the deposit|make the purchase|money back|money from|\
    more credits|more seats|move .. money|my card|next tier|on file|on the house|on the tab|on your tab|\
    order .. licence/license/seat/part/machine/server|order .. more|order another|order more|order new|\
    our subscription|out of pocket|over budget|overdraw the|paid for|paid version|pay for|pay off|\
    pay the|pay them|pay up|payment live|payment provider|pick up the tab/bill|place a bid|place an order|\
    price .. up|price for existing|price to the customer|put .. through|putting .. through|\
    quote the customer|raise .. price|real payment|renew .. contract/subscription/licence/license/plan/\
    domain/certificate|renew the/our/it/my/your|renewal of|ring .. up|ring up|saved card|sell it|\
    sell the|send .. bill|send .. money|settle .. bill/invoice/account/debt|settle up|sign .. up for|\
    sign me up|sign up for|sign us up|sign you up|some money|spend .. money|spend .. on this|spend the|\
    spend up|start charging|stop charging|stop paying|stored card|\
    take .. from the account/deposit/balance|take .. money|\
    take out a/the .. subscription/loan/insurance|take out the subscription|take the offer|tax office|\
    tax return|the card for|the checkout|the contract|the deal|the deposit|the money|the purchase|\
    the sale|the subscription|their card|tip the|top .. up|top up|transfer the|wire it|wire the|\
    wire them|write .. off|write off|your card|",
);

/// Access, protection and secrets.
pub(in crate::doors) static ACCESS: List = list!(
    "|about the leak|full export|give them/him/her .. list/export/dump/copy/all/everything/address/\
    number|accept and|access for|access to the|act as the|\
    add .. as .. owner/admin/maintainer/collaborator|admin page|admin panel open|admin right|admin role|\
    alarms off|alerts off|all at once|all key|all origins|allow all|allow any|although .. fail|\
    an administrator|anonymous access|any origin|anybody can|anyone can|anyone to see|apply for|\
    as admin|as administrator|as an owner|as owner|as root|as superuser|as the owner|auto deploy|\
    auto merge|automerge|be root|blank check|blank cheque|blanket approval|blind eye|borrow the|\
    borrow your|break the lock|build is red|by anyone|by everyone|bypass .. approval|bypass .. review|\
    bypass the|card number|carry on anyway|carry on despite|carry on in spite|carry on regardless|\
    carte blanche|checking back|ci is red|code owner|continue anyway|continue despite|\
    continue regardless|copy the key|despite the|disable .. check/verification/validation/protection|\
    disable .. test|do it anyway|downloaded binary|downloaded file|downloaded script|drop .. guard|\
    enable billing|even though .. fail|even though the|everyone at once|expose it|force through|\
    force unlock|free rein|from the internet|full access|full control|gain access|gave access|\
    get access|get around the|get it in|get round the|github release|give .. access|give .. admin|\
    give .. owner|give .. root|give .. run of|give .. the key|give .. to them/him/her/vendor/everyone|\
    give it to|give the bot|give them to|give them/him/her/everyone/everybody/it .. role/right/key/\
    permission|given access|go on anyway|go on in spite|go on regardless|guard down|guard off|\
    hand .. key|hand .. over|hand out|hand over|hand the .. to|handed over|have access|hole in|\
    host filesystem|if .. are red|if .. is red|ignore .. and merge|ignore .. failing|\
    ignore .. warning .. merge|ignore failing|ignore the .. check/failing/failure/red/leak/alert/review/\
    gate/policy/rule|ignore the test|in anyway|in clear text|in cleartext|in plain text|in spite of|\
    just this once|keep the key|key in the repo/repository/code/config/file/env|key into the|key to the|\
    key useless|keys over|keys to|kingdom|leak be|leave .. open to|leave .. port|leave the port|\
    let .. into|let .. read the|let .. see our|let .. see the|let .. see their|let .. warning .. be|\
    let .. write to|let anybody|let anyone|let the lock|\
    let them/him/her/everyone/everybody/anyone/anybody/it in|letting .. in|\
    lift the .. restriction/limit/ban/block/lock|live with .. hole/vulnerability/risk/leak|lock go|\
    log in as|log retention|logged in as|login as|look the other way|loosen the|lower .. guard|\
    make .. admin|make .. administrator|make .. key useless|make .. owner|make .. superuser|\
    mute .. alert/alarm|mute the|my judgement|network access|never ask|new key|no backup|\
    no more question|no one can|nobody can|not ask again|old key|on autopilot|on the internet|\
    open .. port|open a port|open it to|open port|open the port|over .. head|over the top of|\
    override it|override the .. check/protection/policy/lock/block/limit/guard/gate/review|overrule the|\
    own judgement|pass .. on|pass it to|pass on|pass them to|past the reviewer|\
    pipe .. to/into sh/bash/shell|plain text password|port open|press on regardless|public access|\
    public bucket|public github|public internet|public link|public release|public sharing|publicly|\
    push on regardless|put the .. key in/into|random script|read through your|readable by|red build|\
    red test|regardless of|relax the .. rule/policy/restriction/limit/check|remove the lock|\
    retention policy|reuse your|run of the|safety check|safety net|safety off|same access|same right|\
    save the key|search engine|second pair of|security group|security hole|self signed|\
    silence .. alert/alarm|silence the .. alarm/alert|skip .. failing|skip .. review/check/approval/\
    gate/verification/backup/confirmation/scan/signature/audit/security/qa/ci|skip all check|skip ci|\
    skip it and|skip the review/check/approval/gate/verification/backup/confirmation/scan/signature/\
    hook/audit/ci/safety/signing/security/qa|skip the test and|skip the tests and|skip this check|\
    skipping the .. check/review|steal the lock|stop asking|store the .. key|superuser|\
    switch .. alarm/alert/guard/check/server off|switch .. off|switch off .. alarm/alert/check/guard/\
    firewall/monitoring/server|switch the .. off|t ask again|t ask me|take over .. account|\
    take over her|take over his|take over the|take over their|test are red|test is red|test that fail|\
    tests are red|the alarm|the key in|the password in|the secret in|their account|them all admin|\
    this once|to the internet|traffic on the|trust .. unknown|trust it|trust the .. certificate/host/\
    key/source/script/publisher/cert/author/site/server/folder/workspace|trust them|trust this|\
    trust unknown|turn .. off|turn .. over to|turn .. protection/alarm/alert/check/guard/firewall/\
    monitoring/server/machine/host/verification/safety/lock/backup/old off|turn off .. protection/alarm/\
    alert/check/guard/firewall/monitor/monitoring/server/machine/host/verification/validation/safety/\
    limit/lock/backup/auth/signature/encryption/filter/log/logging|turn on billing|unauthenticated|\
    unencrypted|unknown host|unknown publisher|unknown source|unlock it|unlock the|unsigned|untrusted|\
    unverified|use your login/account/card/password/key/session/identity/name/credential|white flag|\
    without .. factor|without .. review|without a backup|without a review|without approval|\
    without asking|without backup|without being asked|without checking|without confirmation|\
    without confirming|without hook|without looking|without review|without running hook|\
    without running the hook|without test|without testing|without the .. reviewer|without the hook|\
    without you|work around the .. review/check/policy/gate|world readable|world writable|writable by|\
    write the .. key|yolo mode|your inbox|your login|your mail|your message|your private|",
);

/// Consent, law, and data that leaves this machine.
pub(in crate::doors) static CONSENT: List = list!(
    "|a third party|personal address/phone/number/mail/email/mobile|\
    private address/phone/number/mail/email/mobile|home address|\
    a quick note/word/line/mail/call/message|accept .. term/condition/licence/license/agreement/cookie/\
    risk/eula/policy|accept cookies|accept it on|accept on|accept the invitation|accept their|\
    agree on your|agree to|agree with their|agreeing to|audit log|audit trail|back up to the cloud|\
    browser cookie|browser password|copy .. to my own|copy .. user list|\
    copy of the .. table/list/database/customer/data/user|countersign|crash report|crawl the|\
    customer data|customer folder|customer letter|customer list|customer record|customers letter|\
    enable telemetry|give .. blessing|give .. green light|give .. okay|give consent|green light|\
    greenlight|hand .. data|have a copy|home with|i accept|i agree|leave our|leave the building|\
    leave the company|leave the machine|leave the network|mailbox of|my own server|nod .. through|\
    off premises|off site|off the machine|opt .. in|opt .. out|opt in|opt out|outside company|\
    outside party|outside service|outside the company/organisation/organization/team/network/house/\
    building/eu|outside vendor|outside world|own server|pass .. to the vendor|paste .. into|\
    patient record|personal information|phone home|private message|read .. mail|read their|rubber stamp|\
    salaries|salary|say yes to|scrape the|send .. away|send our|send the code|\
    send the data/logs/file/report/dump/log/trace/code/list|send their|share .. outside|share .. with|\
    share the/this/our/their/them/it with|shared with|sharing the|sign .. off|sign it|sign off|sign the|\
    sign them|sign this|signed off|signing off|sync .. to the cloud|take .. home|take a copy|\
    telemetry on|the okay to|their cloud|their letter|their mail|their message|their record|\
    their server|third parties|third party server|third party service|thumbs up|tick .. box|\
    tick the box|to a vendor|to outsiders|to the agency|to the new vendor|to the partner|to the press|\
    to the vendor|tracking on|train on|turn on telemetry|upload it|upload the/our/their/all .. file/log/\
    data/dump/report/code/trace/image|upload them|waive our|waive the|wave .. through|wave it|we agree|\
    with the partner|with the vendor|your approval|your blessing|your consent|your go ahead|your ok|\
    your okay|your permission|",
);
