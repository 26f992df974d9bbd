//! How Claude Code notifies the person when it needs them: `preferredNotifChannel` of the settings. Claude Code reads it
//! there from 2.1.179 on; without it, it notifies in the few terminals that it knows how to.

use super::document::{Json, quoted};
use super::view::View;
use super::{EditChange, Step};
use crate::Problem;

/// The member.
const KEY: &str = "preferredNotifChannel";

/// The value that every terminal understands: its bell.
const BELL: &str = "terminal_bell";

/// The event for which the person may have a hook of their own that notifies them.
const EVENT: &str = "Notification";

/// True when the settings say how to notify the person, or have a hook that does.
///
/// # Errors
/// If it is there twice.
pub(super) fn is_set(view: &View<'_>) -> Result<bool, Problem> {
    let hook = view.get(&["hooks", EVENT])?.is_some_and(Json::is_array);
    Ok(hook || view.get(&[KEY])?.is_some())
}

/// The next step so that the terminal's bell rings; `None` when the settings say something about it.
///
/// # Errors
/// If it is there twice.
pub(super) fn install(view: &View<'_>) -> Result<Option<Step>, Problem> {
    if view.get(&[KEY])?.is_some() {
        return Ok(None);
    }
    Ok(Some(Step {
        edit: view.insert(&[KEY], &quoted(BELL))?,
        change: EditChange::of("let", "the terminal's bell ring"),
    }))
}

/// The next step so that the bell that plantune asked for does not ring; `None` when another channel is
/// chosen by now.
///
/// # Errors
/// If it is there twice.
pub(super) fn uninstall(view: &View<'_>) -> Result<Option<Step>, Problem> {
    let channel = view.get(&[KEY])?.and_then(Json::string);
    if channel.as_deref() != Some(BELL) {
        return Ok(None);
    }
    let change = EditChange::of("let", "the terminal's bell be");
    let edit = view.remove(&[KEY], None)?;
    Ok(edit.map(|edit| Step { edit, change }))
}

#[cfg(test)]
mod tests {
    use super::super::{OurRules, install_notifications, notifies, without_rules};

    fn taken_out(text: &str) -> String {
        let ours = OurRules {
            notify: true,
            ..OurRules::default()
        };
        without_rules(text, &ours).unwrap().text
    }

    #[test]
    fn the_bell_comes_and_goes_and_leaves_every_other_byte() {
        for text in ["{}", "{\n  \"model\": \"opus\"\n}\n", "{\"a\":1}"] {
            assert!(!notifies(text).unwrap());
            let with = install_notifications(text).unwrap().text;
            assert!(notifies(&with).unwrap(), "{with}");
            assert_eq!(install_notifications(&with).unwrap().text, with);
            assert_eq!(taken_out(&with), text);
        }
    }

    #[test]
    fn what_the_person_chose_stays() {
        let chosen = r#"{"preferredNotifChannel": "iterm2"}"#;
        assert_eq!(install_notifications(chosen).unwrap().text, chosen);
        assert_eq!(taken_out(chosen), chosen);
        let hook =
            r#"{"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "ring"}]}]}}"#;
        assert!(notifies(hook).unwrap());
        assert!(notifies(r#"{"preferredNotifChannel": 1, "preferredNotifChannel": 2}"#).is_err());
    }
}
