//! English phrases, in every form of their words. `a/b` is either, `..` up to four words.
//!
//! Grouped by first letter where they can be: a list is searched by it.

use crate::doors::entries::{List, list};

/// Destroying and losing, without a verb that says so.
pub(in crate::doors) static DESTRUCTION: List = list!(
    "|become of|losing .. week/day/month/data/reading/record/photo/entry|with losing|be spared|\
    becomes of|happen .. to the old/last/other/rest|happen to the old/last/other/rest|\
    start from .. blank/zero/nothing/fresh|start with .. empty/blank/clean/fresh database/folder/\
    directory/volume/disk/one/server/machine|begin with .. empty/blank/clean/fresh one/database/folder/\
    directory/volume/disk/server/machine|let .. them go|let half|\
    keep the newer/newest/latest/older/original|only the last/newest day/week/month/year|how far back|\
    away with|still need .. snapshot/backup/copy/account/server/machine/bucket/dump/export/record/\
    volume/box/instance/cluster/database/branch/subscription/licence/license/domain/phone/archive/\
    recording/photo/history|still .. a purpose|live without the|do without the|can do without|\
    axe the/them/it/all/old/every|back to factory|be cut|be gone|be rid of|be thrown|begin afresh|\
    begin again|begin from scratch|beyond recovery|bin the/them/it/all last/old/every|bin them/it/those|\
    blank the/it/out|blow .. away|blow away|blown away|boot .. out|bring .. down|bring .. offline|\
    bringing .. down|brought down|bulldoze the|bump .. off|burn .. down|burn it|can go|\
    can not be undone|can t be undone|cancel .. order/subscription/job/booking/deployment/release/\
    migration/run/meeting/payment/transfer/plan/contract/membership|cannot be reversed|cannot be undone|\
    chuck the/them/it/all/old/every|clean house|clean out|clean slate|clear .. out|clear out|\
    clearing out|close .. pull request|close pr|close the pr|close the pull request|cluster down|\
    column type in|column type on|come down|convert .. in place|cross .. off|\
    cull the/them/it/all/old/every|cut .. loose|cut .. off|cut off|cut them/him/her/it loose|\
    cutting off|database down|delete it|ditch the/them/it/all/old/every|do away with|done away with|\
    done with the old|drop .. from the list|drop .. off the list|drop it/them all|drop them|\
    dump the/them/it/all old|empty .. bin|empty it|empty the trash|empty them|ever happened|\
    evict the/them/all/every|extra one out|file vanish|flush it/them|fold .. into|for good|forever lost|\
    forget .. ever happened|format the/my/this/second/external .. stick/disk/drive/partition/card/\
    volume|free space|free the/some .. disk/space/drive|free up|from orbit|get rid of|go .. offline|\
    go dark|goes dark|goes down|goes offline|gone for|gone forever|gone from|gone too|got rid of|\
    in the bin|irreversible|irreversibly|irrevocable|irrevocably|is/are gone|\
    junk the/them/it/all/old/every|kick .. off|kick .. out|kick it|kill all|kill it|kill off|kill pid|\
    kill process|kill the/that/every/your/his .. process/server/instance/job/session/worker/container/\
    connection/transaction/query|kiss .. goodbye|last copy|lay .. to rest|leave no trace|leave them out|\
    let .. be overwritten|let .. disappear|let .. expire|let .. lapse|let .. run out|let .. vanish|\
    let go of|let it/them/these/those/him/her/this/that go|let the/my/our/your/old .. go|letting .. go|\
    lock .. out|lock everyone|log .. out of|log everyone out|\
    lose the/my/your/our/their/his/all/mine/it/them|losing the/my/your/our/their/all|lost forever|\
    make .. disappear|make room|make some room|make space|making room|making space|melt down|\
    merge .. into ours/theirs/mine/main/production|merged into ours|mothball the|needs a restart|\
    never happened|nightly copy|no going back|no longer need|no trace of|no undo|no way back|\
    not be reversed|not be undone|not need .. any more|not reversible|nuke it|of no return|on the floor|\
    once and for all|only backup|only copy|out of existence|out with the/them/it|permanently|photo gone|\
    plug .. pulled|power .. off|power down|power off|pull the plug|put .. out of|put .. to rest|\
    put an end|record .. merge|remove for good|reset it/everything|rid of|rip out|say goodbye|\
    scrap the/them/it/all/old/every|scuttle the|send .. packing|server down|service down|show .. out|\
    show .. the door|shut .. down|shut .. off|shut off|shut the door|shutting down|sign everyone out|\
    site down|slate clean|start afresh|start again from|start anew|start from scratch|start over|\
    starting .. from scratch|stop backing up|stop keeping|stop the .. copy|stop the/all .. backup/\
    server/service/cluster/database/machine/instance/node/job/replication/sync|stop to the|\
    strike .. from|strip .. of|sweep .. away|swept away|system down|take .. away|take .. down/off|\
    take .. off line|take .. offline|take .. site/server/service/system/page/cluster/database/api/app/\
    node/machine .. down/off/out|take .. test out|take them/it/him/her/us/everyone/users off the list|\
    taking .. down|tear it down|tear out|tear them down|they can go|throw .. away|throw .. off|\
    throw away|throw out|throw the/old/last/his/her/their/your/my/our .. out|\
    throw them/it/this/that/those/everything/all out|thrown away|tidy away|\
    tidy up .. account/folder/data/record/file/customer|toss the/them/it/all/old/every|\
    undo it/them/that/everything/all|unrecoverable|vanish for|vanish from|walk away from|wave goodbye|\
    went down|what's left|wind .. down|wind down|wipe out|write .. over|write over|writing over|\
    written over|zap the/them/it/all/old/every|",
);

/// Bringing something before others: releases, launches, switching over.
pub(in crate::doors) static RELEASE: List = list!(
    "|a rollout|ready to receive|make .. permanent|live tenant/player/patient/market/region/client|\
    rollout percentage|rollout percent|all users|apply .. migration|available for everyone|\
    available to everyone/all/everybody/customer/public|back door|be live|begin the rollout|beta to|\
    blast off|break .. existing|break backward|break compatibility|burn .. bridge|call it done|\
    call it final|changeover|cluster .. smaller|come into force|cross the rubicon|cut over|cutover|\
    data migration|directly on|directly to main/master/prod/live/production|discontinue the|\
    do the rollout|domain .. at|drop support|dropping support|enable .. for|end of life|end support|\
    execute .. migration|fail over|failover to/now|final version|flick the switch|flip .. on for|\
    flip .. over to|flip the switch|for all customer/user/tenant/client/account/of them/region|\
    for every customer/user/tenant/client/account|full rollout|get .. in anyway|get .. out there|\
    get it/this into .. store/production/hand|get it/this/that out|get it/this/that/them in|get smaller|\
    getting it/this in|go live|go out now|go out to|go out today|goes live|goes out to|going live|\
    gone live|hit send|hit the .. button|hit the button|hot fix on|hotfix on|in front of .. customer/\
    user/people/public/client/everyone/audience|in the app store|in the store|in the wild|into live|\
    into the store|into the wild|launch day|launch it/today/now/the|let .. at it|let .. get at|\
    let .. have it|let .. have them|let .. use it now|let it go out|let it/this/them out|let the .. out|\
    letting it/this out|lift off|liftoff|live for all/everyone/everybody/customer/user|live server/site/\
    box/system/machine/traffic/data/environment/database/db/config/customer/user/service/cluster/\
    instance/one/version/store/shop/page/app|live table/column/schema|made live|make .. live|\
    make .. official|make it final|make it official|making .. live|move .. traffic|move over to|\
    off it goes|off the shelf|off the shelves|off to print|off we go|off you go|old password|on for all|\
    on for everybody|on for everyone|on live|on to live|onto live|\
    open .. to the public/world/internet/everyone|open .. up to|open it up|open the doors|\
    open the floodgates|open them up|open to the public/world/internet/everyone|open up to|\
    out in the open|out into the|out it goes|out of rotation|out of service|out of the door|\
    out of the pool|out the door|out there|out to everyone/everybody/customer/user/all/public/people/\
    anyone|out to our/your/all .. customer/user/client|out to the public/world/customer/user/client/\
    whole/people/rest|over the shared|phase .. out|phase out|point .. dns|point .. domain|\
    point the .. to/at|press send|press the button|print run|pull .. from the/sale/store|\
    pull .. release|pull the lever|pull the release|pull the trigger|push .. live|push the button|\
    put .. into effect|put .. live|put it/this/that/them/version/release/build out|put the .. out|\
    putting .. live|putting it/this out|real customer|real data|real money|real order|real payment|\
    real people|real thing|real user|reboot the/it|recall the|release it/this/them|restart the server/\
    database/service/cluster/host/machine/box|retire .. old|retire the|retract the|roll .. out|roll out|\
    rolled out|rolling out|rollout to|route .. traffic|run .. migration|say the word|scale .. down|\
    scale .. to zero|scale down|see the light|send .. off to|send .. to print|send .. traffic|send it|\
    send it/this/them/that off/out/over/up/on/now|send off|send out|send them|send up|sent up|\
    set .. live|shift .. traffic|ship it/this/them/today/now/the/version|\
    shrink the .. cluster/disk/volume/partition/pool/fleet|shutters down|smaller cluster|\
    start .. migration|start the rollout|stop support|stop supporting|stop working|straight on|\
    straight onto|straight to main/master/prod/live/production|straight to the top|sunset .. api|\
    sunset the|switch .. on for|switch .. over to|switch over|switching over|take .. live|\
    take .. out of service|take effect|the cutover|the launch|the mailing|the real one|the real world|\
    the roll out|the rollout|throw the switch|time to ship|\
    to all customer/user/tenant/client/subscriber/member/region|to every customer/user/tenant/client|\
    to live|to the printer|traffic over|traffic to|turn .. live|turn .. on for|turned on for|went live|\
    withdraw the|without the check|yank the|",
);

/// Taking something back in a history, forcing, undoing.
pub(in crate::doors) static HISTORY: List = list!(
    "|accept ours|accept theirs|against .. upstream|back out|back out of|back to how|\
    back to the .. release/version/backup/state/snapshot|by force|change .. history|clean .. history|\
    commit .. gone|edit .. history|erase .. past|filter branch|filter repo|force .. through|force .. up|\
    force it|force merge|force the|force them|force this|from history|from ours|from the history|\
    from theirs|get .. merged|get it merged|go back to .. release/version/server/backup/state/snapshot|\
    goes on top|keep mine|keep ours|keep theirs|land it|land the|land this|lose mine|lose one|\
    lose the other|merge .. in/into/anyway/now|merge all|merge anyway|merge despite|merge it|merge now|\
    merge regardless|merge them|merge this|merge without|mine goes on|mine on top|mine win|mine wins|\
    move the tag|old commit .. gone|on top of theirs|ours win|ours wins|out of the history|over mine|\
    over theirs|over yours|overwrite the release|prefer theirs|publish it|published commit|\
    published history|push .. up|push everything|push it|push it up|push my/our/the .. to|push them|\
    push this|push up|pushed commit|pushed up|replace .. with my/mine/our/ours/theirs/his/local|\
    replace the remote|replace what|retag the|rewrite .. history|roll .. back|rollback to|rolled back|\
    rolling back|squash .. main/history|squash .. push|squash everything|squash the history|\
    take .. back|take mine|take ours|take theirs|taken back|the history .. gone|the other is lost|\
    theirs and lose|theirs win|theirs wins|turn .. clock back|turn back the|undo the/last/yesterday/my/\
    your/our/their/his/all/these/those/today/every|undoing the|upstream repository|use force|use theirs|\
    wins .. conflict|with force|yours wins|",
);
