//! The message for the model when a question failed, by whether a human can answer.
//!
//! The texts are fixed: nothing of the question or of the error is repeated to the model.

use plantune_domain::session_kind::SessionKind;

const SPAWNED: &str = "AskUserQuestion failed, and nobody can answer: another program runs this \
session. Choose the recommended option yourself and go on; write no prose, do not block. A failed \
question is no permission: what cannot be taken back (deleting, publishing, paying, access, \
credentials) is left undone.";

const HEADLESS: &str = "AskUserQuestion failed, and nobody can answer: this session runs without a \
person. Report `BLOCKED — AskUserQuestion unavailable` and stop. Do not choose for the user: a \
failed question is neither an answer nor a permission.";

const INTERACTIVE: &str = "AskUserQuestion failed; the user has not answered. If no answer can have \
surfaced, retry the call once. Otherwise put the question as prose: what is at stake, in plain words; \
your recommendation with its reason; one paragraph a choice, each with its completeness score \
(Completeness: N/10); then \"Reply with a letter.\" Then stop and wait: a failed question is neither \
an answer nor a permission.";

/// The directive for a session of that kind.
pub fn directive(session_kind: SessionKind) -> &'static str {
    match session_kind {
        SessionKind::Spawned => SPAWNED,
        SessionKind::Headless => HEADLESS,
        SessionKind::Interactive => INTERACTIVE,
    }
}
