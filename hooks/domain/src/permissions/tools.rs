//! Tools other than the shell: files, addresses, servers.

use std::borrow::Cow;

use serde_json::Value;

use crate::reach::{OwnReaches, Reach};
use crate::shell::{OUTSIDE, is_secret};

/// The most bytes of an address or a name that a subject shows.
const LONGEST_SHOWN: usize = 80;

/// A call's subject, and how far it reaches.
pub(super) struct JudgedCall {
    pub(super) subject: String,
    pub(super) reach: Reach,
    pub(super) reason: String,
}

impl JudgedCall {
    fn new(subject: String, reach: Reach, reason: &str) -> Self {
        Self {
            subject,
            reach,
            reason: reason.to_owned(),
        }
    }
}

/// A tool that reads or changes a file or folder.
pub(super) fn file(tool: &str, path: &str, cwd: &str, reach: Reach) -> JudgedCall {
    let is_folder = matches!(tool, "Grep" | "Glob" | "LS");
    if path.is_empty() && is_folder {
        return JudgedCall::new(format!("{tool} ./"), reach, "");
    }
    let (path, cwd) = in_one_form(path, cwd);
    let (path, cwd) = (&*path, &*cwd);
    let resolved = resolve(path, cwd);
    let root = cwd.trim_end_matches('/');
    let below = |root: &str| {
        let rest = resolved.strip_prefix(root).filter(|_| !root.is_empty())?;
        rest.strip_prefix('/')
            .or(rest.is_empty().then_some(rest))
            .map(str::to_owned)
    };
    let folder = |path: &str| match path.rsplit_once('/') {
        _ if is_folder && !path.is_empty() => format!("{path}/"),
        Some((folder, _)) => format!("{folder}/"),
        None => String::new(),
    };
    let parent = root.rsplit_once('/').map_or("", |(parent, _)| parent);
    let inside = below(root);
    let shown = match (&inside, below(parent)) {
        (Some(inside), _) if folder(inside).is_empty() => "./".to_owned(),
        (Some(inside), _) => folder(inside),
        (None, Some(beside)) => format!("../{}", folder(&beside)),
        (None, None) if has_drive(resolved.get(1..).unwrap_or_default()) => {
            folder(resolved.trim_start_matches('/'))
        }
        (None, None) => folder(&resolved),
    };
    let subject = format!("{tool} {shown}");
    let is_hidden = |part: &str| part.starts_with('.') && part != ".";
    let is_plain = |c: char| !c.is_control() && !crate::sanitize::is_dangerous(c);
    let (subject, reach, reason) = match inside {
        _ if !path.chars().all(is_plain) || path.is_empty() => {
            (subject, Reach::Beyond, "a path that is not plain")
        }
        _ if path.split('/').any(|part| part == "..") => (subject, Reach::Beyond, "a path with .."),
        None => (subject, Reach::Beyond, OUTSIDE),
        Some(inside) if is_secret(&inside) => {
            let subject = format!("{tool} {inside}");
            (subject, Reach::Beyond, "what may be secret")
        }
        Some(inside) if inside.split('/').any(is_hidden) => {
            (format!("{tool} {inside}"), Reach::Beyond, "a hidden file")
        }
        Some(_) => (subject, reach, ""),
    };
    JudgedCall::new(subject, reach, reason)
}

/// `path`, and the folder `cwd` that it is about, as they are; where one is written as on Windows, both with slashes
/// and with the drive as a folder: `C:\x`, `c:/x` and WSL's `/mnt/c/x` are `/c:/x`.
pub(super) fn in_one_form<'t>(path: &'t str, cwd: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    let is_windows = |text: &str| has_drive(text) || text.starts_with("\\\\");
    if !is_windows(path) && !is_windows(cwd) {
        return (path.into(), cwd.into());
    }
    let form = |text: &str| {
        let text = text.replace('\\', "/");
        if has_drive(&text) {
            let (drive, rest) = text.split_at(1);
            return format!("/{}{rest}", drive.to_ascii_lowercase());
        }
        // Linux's files, as Windows sees them.
        let below = ["//wsl.localhost/", "//wsl$/"]
            .iter()
            .find_map(|start| text.strip_prefix(start));
        if let Some((_, rest)) = below.and_then(|below| below.split_once('/')) {
            return format!("/{rest}");
        }
        let below = text
            .strip_prefix("/mnt/")
            .or_else(|| text.strip_prefix('/'));
        match below.and_then(|below| below.split_once('/')) {
            Some((drive, rest)) if drive.len() == 1 => {
                format!("/{}:/{rest}", drive.to_ascii_lowercase())
            }
            _ => text,
        }
    };
    (form(path).into(), form(cwd).into())
}

/// True for a path that begins with a drive, as on Windows.
fn has_drive(path: &str) -> bool {
    let mut start = path.chars();
    let drive = start
        .next()
        .is_some_and(|drive| drive.is_ascii_alphabetic());
    drive && start.next() == Some(':') && matches!(start.next(), Some('/' | '\\'))
}

/// `path` below `cwd` without `.` and `..`; a home folder stays `~`.
pub(super) fn resolve(path: &str, cwd: &str) -> String {
    let whole = if path.starts_with(['/', '~']) {
        path.to_owned()
    } else {
        format!("{cwd}/{path}")
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if joined.starts_with('~') {
        joined
    } else {
        format!("/{joined}")
    }
}

/// Hosts where anybody can publish or receive data, or that forward to others: whole names, or their endings after a
/// dot.
const OPEN_HOSTS: &str = "github.com githubusercontent.com github.io gitlab.com gitlab.io bitbucket.org bitbucket.io codeberg.org \
    codeberg.page sr.ht gitea.com google.com googleusercontent.com googleapis.com goo.gl withgoogle.com appspot.com \
    cloudfunctions.net run.app web.app firebaseapp.com firebaseio.com blogspot.com youtube.com youtu.be amazonaws.com \
    cloudfront.net awsapps.com azurewebsites.net windows.net azureedge.net azurefd.net sharepoint.com onedrive.com live.com \
    1drv.ms cloudflare.net pages.dev workers.dev r2.dev trycloudflare.com vercel.app now.sh netlify.app herokuapp.com \
    onrender.com fly.dev railway.app surge.sh deno.dev glitch.me repl.co replit.com replit.dev codesandbox.io csb.app \
    stackblitz.io webcontainer.io codepen.io jsfiddle.net jsbin.com plnkr.co observablehq.com huggingface.co hf.space \
    streamlit.app gradio.live kaggle.com colab.dev notion.so notion.site airtable.com typeform.com jotform.com tally.so \
    wufoo.com formspree.io getform.io medium.com substack.com wordpress.com wixsite.com weebly.com squarespace.com \
    tumblr.com livejournal.com ghost.io hashnode.dev dev.to telegra.ph reddit.com redd.it twitter.com x.com t.co \
    facebook.com fb.com instagram.com threads.net linkedin.com lnkd.in pinterest.com tiktok.com mastodon.social bsky.app \
    discord.com discord.gg discordapp.com slack.com telegram.org t.me whatsapp.com wa.me signal.me zoom.us teams.live.com \
    trello.com atlassian.net asana.com monday.com linear.app clickup.com figma.com miro.com canva.com dropbox.com \
    dropboxusercontent.com box.com mediafire.com mega.nz wetransfer.com we.tl gofile.io file.io transfer.sh 0x0.st \
    catbox.moe anonfiles.com sendspace.com filebin.net archive.org archive.ph archive.today pastebin.com hastebin.com \
    ghostbin.com rentry.co dpaste.org dpaste.com paste.ee termbin.com ix.io privatebin.net controlc.com justpaste.it \
    bit.ly tinyurl.com ow.ly is.gd buff.ly rebrand.ly cutt.ly shorturl.at webhook.site requestbin.com pipedream.net \
    pipedream.com requestcatcher.com beeceptor.com hookbin.com postb.in mockbin.org httpbin.org ptsv2.com mocky.io \
    ngrok.io ngrok.app ngrok-free.app ngrok.dev localtunnel.me loca.lt serveo.net tunnelto.dev localhost.run \
    burpcollaborator.net oastify.com oast.fun oast.live oast.me oast.online oast.pro oast.site interact.sh dnslog.cn \
    zapier.com ifttt.com make.com n8n.cloud integromat.com nip.io sslip.io xip.io npmjs.com unpkg.com jsdelivr.net \
    skypack.dev esm.sh translate.goog";

/// Parts of host names that show such a host.
const OPEN_NAMES: &str =
    "webhook paste pastebin requestbin ngrok tunnel hook hooks forms metadata upload uploads";

/// `WebFetch`. Reading a page of a named host is [`Reach::Project`], because the address goes out. A reach that the
/// person set for the host replaces that. An address that carries data goes beyond in any case.
pub(super) fn fetch(url: &str, own: &OwnReaches) -> JudgedCall {
    let Some((host, rest)) = address(url) else {
        return JudgedCall::new(
            format!("WebFetch {}", cut(url, LONGEST_SHOWN)),
            Reach::Beyond,
            "an address that is not plain",
        );
    };
    let (mut reach, mut reason) = match bad_host(&host) {
        Some(reason) => (Reach::Beyond, reason.to_owned()),
        None => (Reach::Project, "the address goes to the host".to_owned()),
    };
    if let Some(given) = own.of_host(&host, reach) {
        (reach, reason) = given;
    }
    if carries_data(rest) {
        (reach, reason) = (Reach::Beyond, "an address that carries data".to_owned());
    }
    JudgedCall::new(format!("WebFetch {host}"), reach, &reason)
}

/// The first `length` bytes of `text`, or fewer where a character would be cut.
pub(super) fn cut(text: &str, length: usize) -> &str {
    text.get(..text.floor_char_boundary(length))
        .unwrap_or_default()
}

/// The host of a `https` address in lower case, and what follows it; `None` for one with a user, a port, or
/// odd characters.
pub(super) fn address(url: &str) -> Option<(String, &str)> {
    let rest = url.strip_prefix("https://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(end);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let is_host = host.bytes().all(is_plain) && host.contains('.') && !host.starts_with('.');
    is_host.then(|| (host.to_ascii_lowercase(), rest))
}

/// Why reading from a host must not always be allowed; `None` if it may be.
pub(super) fn bad_host(host: &str) -> Option<&'static str> {
    let last = host.rsplit('.').next().unwrap_or_default();
    if last.is_empty()
        || last.bytes().any(|byte| byte.is_ascii_digit()) && !last.starts_with("xn--")
    {
        return Some("an address without a name");
    }
    if host.split('.').any(|part| part.starts_with("xn--")) {
        return Some("a name that may look like another");
    }
    if matches!(
        last,
        "localhost" | "local" | "internal" | "lan" | "home" | "corp" | "onion"
    ) {
        return Some("a host of the local network");
    }
    let is_open = OPEN_HOSTS.split(' ').any(|open| {
        let before = host.strip_suffix(open);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    });
    let says_so = |part: &str| OPEN_NAMES.split(' ').any(|one| one == part);
    (is_open || host.split(['.', '-']).any(says_so))
        .then_some("a host where anybody can publish or receive")
}

/// True if the address has more after the host than a path and a short search.
fn carries_data(rest: &str) -> bool {
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_long = |part: &str| {
        part.len() > 64
            || part.len() > 24
                && !part.contains(['-', '_', '.'])
                && part.bytes().any(|b| b.is_ascii_digit())
    };
    let odd = |byte: u8| !(byte.is_ascii_alphanumeric() || b"/-_.~#+=&:,@!()'*;".contains(&byte));
    query.len() > 40
        || query.contains("token")
        || query.contains("key")
        || rest.replace('?', "").bytes().any(odd)
        || path.split(['/', '#']).any(is_long)
        || query.split(['&', '=']).any(is_long)
        || path.len() > 200
}

/// Verbs of tools that read.
const READING: &str = "get list search read find describe show lookup count browse resolve";

/// Words after such a verb that act, or show that more than reading happens.
const ACTING: &str = "and or then create update add edit comment set assign label move rename open close reopen link append \
    insert save write upload post put patch draft tag mark modify replace upsert query run fetch call to from with by url \
    uri http request web page browser";

/// Words that show that a tool reaches further.
const BEYOND: &str = "delete remove merge deploy publish send pay execute exec run eval call invoke transfer charge refund \
    purge drop destroy revoke grant approve submit release rollback restart stop kill terminate cancel invite share reset \
    sql shell bash command script secret secrets token tokens password passwords credential credentials key keys admin \
    prod production env environment navigate click fill press evaluate install force tweet";

/// Words for what people would not want to be sent or changed. To read it is not known to be harmless.
const DELICATE: &str = "access code email invoice mail message order payment permission permissions policies policy sms user users";

/// Words in the names of servers that hold secrets, mail, money or machines, or lead to the open web.
const OPEN_SERVERS: &str = "fetch web browser browse playwright puppeteer chrome selenium firecrawl brave tavily exa search google \
    bing duckduckgo perplexity twitter x tweet facebook instagram linkedin reddit youtube discord slack telegram whatsapp \
    teams signal mastodon bluesky onepassword 1password bitwarden lastpass vault infisical doppler keychain secrets secret \
    mail gmail email outlook imap smtp sendgrid mailgun resend postmark twilio sms stripe paypal plaid wise bank brex \
    ramp quickbooks xero shopify square coinbase binance wallet crypto aws gcp azure cloudflare kubernetes k8s kubectl docker \
    terraform pulumi iam okta auth0 heroku vercel netlify render fly railway supabase firebase postgres postgresql mysql \
    sqlite mariadb mongo mongodb redis snowflake bigquery clickhouse database db sql ssh shell terminal exec desktop \
    commander filesystem zapier n8n make ifttt";

/// A tool of a server. A rule for it covers every argument, so it reads only if its name begins with such a verb and
/// has no word that acts, and if its server holds nothing that could be lost.
pub(super) fn of_server(tool: &str) -> JudgedCall {
    let (server, name) = tool
        .strip_prefix("mcp__")
        .and_then(|rest| rest.rsplit_once("__"))
        .unwrap_or((tool, tool));
    let name = words_of(name);
    let is_in = |list: &str, word: &String| list.split_ascii_whitespace().any(|one| one == word);
    let is_open = words_of(server)
        .iter()
        .any(|word| is_in(OPEN_SERVERS, word));
    let reads = name.first().is_some_and(|word| is_in(READING, word));
    let has = |list: &str| name.iter().any(|word| is_in(list, word));
    let (reach, reason) = match reads {
        _ if has(BEYOND) || !reads && has(DELICATE) || !tool.is_ascii() => {
            let reason = "the tool's name says that it reaches further";
            (Reach::Beyond, reason)
        }
        true if !is_open && !has(ACTING) && !has(DELICATE) => (Reach::Reads, ""),
        false if is_open => {
            let reason = "the server keeps what can be lost, or leads to the open web";
            (Reach::Beyond, reason)
        }
        _ => {
            let reason = "what the tool does with its arguments is not known";
            (Reach::Unknown, reason)
        }
    };
    JudgedCall::new(tool.to_owned(), reach, reason)
}

/// The words of a name in lower case, from `snake_case` or `camelCase`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        let is_hump = c.is_ascii_uppercase()
            && words
                .last()
                .is_some_and(|word| !word.ends_with(|c: char| c.is_ascii_uppercase()));
        if !c.is_ascii_alphanumeric() || is_hump {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| word.to_ascii_lowercase()).collect()
}

/// The host's own tools that need no words of their input.
pub(super) fn other(tool: &str, input: &Value) -> JudgedCall {
    let named = |field: &str| match input[field].as_str() {
        Some(name) if !name.is_empty() => format!("{tool} {}", cut(name, LONGEST_SHOWN)),
        _ => tool.to_owned(),
    };
    let (subject, reach, reason) = match tool {
        "TodoWrite" | "BashOutput" | "TaskOutput" | "TaskList" | "TaskGet" => {
            (tool.to_owned(), Reach::Reads, "")
        }
        "WebSearch" => (
            tool.to_owned(),
            Reach::Project,
            "the words go to the search",
        ),
        "Agent" | "Task" => {
            let reason = "its calls are asked about by themselves";
            (named("subagent_type"), Reach::Project, reason)
        }
        "Skill" => (named("skill"), Reach::Beyond, "a skill may run commands"),
        _ => (
            tool.to_owned(),
            Reach::Beyond,
            "what the tool does is not known",
        ),
    };
    JudgedCall::new(subject, reach, reason)
}
