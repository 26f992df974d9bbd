//! Tests of the commitments of labels, and of the answers that are held because of them.

use super::*;

fn held(question: &str, label: &str, description: &str) -> Option<String> {
    let act = Act::of("", question, "", Some(label), description, "");
    crate::consent::reason(&act)
}

#[test]
fn labels_of_each_kind() {
    use Commitment::{LeavesThings, NamesProposal, OwnAct, RefersToQuestion, Value};
    for (question, label, expected) in [
        ("Write the plan?", "Skip", LeavesThings),
        ("Write the plan?", "Not now", LeavesThings),
        ("Write the plan?", "No, keep it as it is", LeavesThings),
        ("More questions, or on?", "Next area", LeavesThings),
        ("What next?", "Show me the diff first", LeavesThings),
        (
            "What next?",
            "C) Keep the branch (Recommended)",
            LeavesThings,
        ),
        ("What next?", "Done for now", LeavesThings),
        ("Which tests?", "Run the full suite", OwnAct),
        ("What next?", "Write CONTEXT.md", OwnAct),
        ("What about this todo?", "Work on it now", OwnAct),
        ("Fix it?", "No, delete the file instead", OwnAct),
        ("Which profile?", "Balanced", Value),
        ("Which part?", "All the pages", Value),
        ("What next?", "Ring the customer", OwnAct),
        ("What next?", "Tell the owner", OwnAct),
        ("What next?", "Tell me more", LeavesThings),
        ("Fail over the database?", "Fail over now", RefersToQuestion),
        (
            "Create the handoff?",
            "Yes, create the handoff",
            NamesProposal,
        ),
        ("Create the handoff?", "Yes", RefersToQuestion),
        ("Create the handoff?", "Proceed", RefersToQuestion),
        ("Create the handoff?", "Do it", RefersToQuestion),
        ("The old tables?", "Drop them", RefersToQuestion),
        ("Add it?", "Add", RefersToQuestion),
        ("Secrets were found.", "Safe to proceed", RefersToQuestion),
        ("Keep the backups?", "No", RefersToQuestion),
        ("Soll ich?", "Später", LeavesThings),
        ("PR を作成しますか？", "キャンセル（後で）", LeavesThings),
        ("変更をプッシュしますか？", "後でプッシュ", LeavesThings),
        ("後で削除しますか？", "後で削除", RefersToQuestion),
        (
            "Soll ich die Buchung abbrechen?",
            "Abbrechen",
            RefersToQuestion,
        ),
        ("Share data?", "No thanks", LeavesThings),
    ] {
        assert_eq!(commitment(question, label), expected, "{question} {label}");
    }
}

#[test]
fn outward_and_final_labels_are_held_whatever_stands_beside_them() {
    for (question, label) in [
        (
            "The branch is done. What next?",
            "Push and create a Pull Request",
        ),
        ("The tests pass.", "Commit and push"),
        ("What next?", "Create PR with gh CLI"),
        ("Is the draft good?", "Yes, save and send"),
        ("12 labels are ready for the tracker.", "Apply all"),
        ("What about the findings?", "Open as issues"),
        ("Where should the finding be filed?", "Linear"),
        (
            "The browser is stuck.",
            "Relaunch (current logins are lost)",
        ),
        ("What next?", "Merge back to main locally"),
        ("What next?", "Ship it"),
        ("Is the session done?", "Discard all changes"),
        (
            "Minor versions depend on it. Continue?",
            "Yes, remove anyway",
        ),
        ("Validate the plan?", "Skip the validation"),
        ("How should it go out?", "Skip staging"),
        ("Validate the plan?", "Skip"),
        ("Keep the backups?", "No"),
        ("Enable code review?", "No"),
        ("What next?", "Run the deploy workflow"),
        ("What next?", "Trigger the release workflow"),
        ("What next?", "Deploy the reviewer app"),
        ("What next?", "Deploy reviewers to AWS"),
        (
            "What about the report?",
            "Set the expense report to approved",
        ),
        ("Which action should I take?", "Post"),
        ("What next?", "Push back to origin"),
        ("Records", "Apply all corrections"),
        (
            "The cleanup deletes all customer branches. Run the cleanup?",
            "Yes, run the cleanup",
        ),
        ("3 security findings.", "Accept the risk"),
        ("Which environment?", "Production"),
        ("How should it land?", "Fast-forward main"),
        ("How to handle the comments?", "Resolve all threads"),
        ("Issue #12", "Mark as wontfix and close"),
        ("Which mode?", "Run everything without asking"),
        ("Coverage is low.", "Lower the threshold"),
        ("Secrets were found.", "Ignore and commit anyway"),
        ("Code review after execution?", "Skip"),
        ("3 verification gaps need attention.", "Override"),
        ("Tests need services. How to go on?", "Skip test step"),
        ("What about the enforcement?", "Yes, remove hooks"),
        ("Is all set up?", "Yes, run a sync for real"),
        (
            "Issues exist already: #12 Create new issues anyway?",
            "Create anyway",
        ),
        ("How to answer the comment?", "返信のみ"),
        (
            "Run the checks before the merge?",
            "Continue without checks",
        ),
        ("When should it push commits?", "After each phase"),
        ("How much do you trust it?", "High"),
    ] {
        assert!(held(question, label, "").is_some(), "{question} {label}");
    }
}

#[test]
fn topics_and_what_is_not_done_hold_nothing() {
    for (question, label, description) in [
        (
            "More questions about token revocation, or move to the next area?",
            "Next area",
            "",
        ),
        (
            "More questions about the publish pipeline?",
            "Next area",
            "",
        ),
        (
            "Delete the 3 old branches?",
            "No, keep them",
            "Nothing is deleted",
        ),
        (
            "The delete account page is planned.",
            "Run the full test suite",
            "All of them",
        ),
        (
            "What next?",
            "Commit only",
            "Commit the changes but do NOT push",
        ),
        ("Should users be able to delete old versions?", "Yes", ""),
        (
            "Does this section look right?",
            "Approve the section",
            "Go on with the next",
        ),
        (
            "Start on the plan?",
            "Start `ce-work`",
            "The plan is worked on",
        ),
        (
            "All is ready for the delete account flow. Run it?",
            "Run /plan-review first",
            "",
        ),
        (
            "The audit log has a brief. What next?",
            "Create an epic from this brief",
            "",
        ),
        (
            "What about the unpaid invoices page?",
            "Continue investigating",
            "",
        ),
        (
            "The delete account flow is next. Add rules for it to CLAUDE.md?",
            "Yes, add rules",
            "",
        ),
        ("Users were deleted already.", "Continue with the plan", ""),
        ("Approve, or request changes?", "Request changes", ""),
        ("How should it be kept?", "Save to disk", ""),
    ] {
        assert_eq!(
            held(question, label, description),
            None,
            "{question} {label}"
        );
    }
}

#[test]
fn what_a_description_adds_is_held() {
    for description in [
        "Pushes to the remote and opens a pull request",
        "Then deletes the production database",
        "Runs `rm -rf build` first",
        "Costs $20 a month",
        "Publish it to npm",
    ] {
        assert!(
            held("What next?", "Write the summary", description).is_some(),
            "{description}"
        );
    }
    for (label, description) in [
        ("Skip", "I know about this, ship anyway"),
        ("Skip the conflict", "Runs the skip (may lose changes)"),
        ("Skip", "No code review"),
        ("Quick", "Skip validation, just create a PR"),
        ("Solo", "No reviews at all. The fastest"),
    ] {
        assert!(held("What next?", label, description).is_some(), "{label}");
    }
    for (label, description) in [
        ("Skip", "Nothing is lost"),
        ("Skip", "The branch is pushed later"),
        ("Quick", "Ready to ship in a day"),
    ] {
        assert_eq!(held("What next?", label, description), None, "{label}");
    }
}

#[test]
fn a_verb_alone_and_going_on_refer_to_the_question() {
    for (question, label) in [
        ("All users are deleted. Continue?", "Continue"),
        ("All users are deleted. Continue?", "Continue as planned"),
        (
            "All users are deleted. Continue?",
            "Continue without archiving",
        ),
        ("The deployment to production failed. Retry?", "Retry"),
        ("Start the deletion of user data?", "Start"),
        ("Cancel the subscription of the customer?", "Cancel"),
        ("Close the account of the customer?", "Close"),
        ("Stop the production server?", "Stop now"),
        ("Delete the customer table?", "I accept the risk"),
        ("Delete the customer table?", "I approve"),
        (
            "The change goes to production next.",
            "Continue to production",
        ),
        ("The roles are wrong.", "Change the permissions"),
        ("The log is short.", "Print the secrets"),
        ("Which way?", "Modify the access rights of all users"),
    ] {
        assert!(held(question, label, "").is_some(), "{question} {label}");
    }
}

#[test]
fn what_stands_behind_and_is_an_act_of_its_own() {
    for label in [
        "Skip review and push",
        "Review and merge",
        "Keep the branch and deploy",
        "Cancel, then publish",
        "Push the files",
        "Publish the page",
        "Send the notes",
        "Post the findings",
        "Share the plan with the customer",
        "Ring the customer",
        "Schedule deletion",
        "Add to Linear",
        "Mark as done in Jira",
        "GitHub issue",
        "Approve PR",
        "Sync to remote",
        "Carry on although two checks are red",
    ] {
        assert!(held("What next?", label, "").is_some(), "{label}");
    }
    for label in [
        "Merge the two sections",
        "Write the release notes",
        "Push notifications first",
        "Set up GitHub Actions",
        "Read the GitHub issue",
    ] {
        assert_eq!(held("What next?", label, ""), None, "{label}");
    }
    let description = "No backups are made and all customer tables are dropped";
    assert!(held("What next?", "Tidy the schema file", description).is_some());
}

#[test]
fn safeguards_left_out_work_undone_and_what_a_value_destroys_are_acts() {
    for (question, label, description) in [
        (
            "The request is open. Review it before the merge?",
            "Skip review",
            "",
        ),
        ("How shall it be tested?", "No tests", ""),
        (
            "The configuration has faults.",
            "Override (proceed despite warnings)",
            "",
        ),
        ("The fix is in. Does it work?", "Revert", ""),
        ("Which categories should I clean?", "Sessions", ""),
        ("What is next?", "Upload to the store", ""),
        (
            "What is next?",
            "Clean up",
            "Tear down a workflow that runs",
        ),
        ("Create new issues anyway?", "Create anyway", ""),
        (
            "The branch has a request. Update it?",
            "Yes",
            "Updates the PR for others",
        ),
    ] {
        assert!(
            held(question, label, description).is_some(),
            "{question} {label}"
        );
    }
    for (question, label, description) in [
        ("Which sections should I remove?", "The second", ""),
        ("Do these points match what users told you?", "Yes", ""),
        ("Run a review before the merge?", "Self-review", ""),
        ("What is it for?", "Production code", "Ready to ship"),
        (
            "What do you need?",
            "Write something",
            "Emails, posts, notes",
        ),
        ("What should /x:ship include?", "Stories", ""),
        (
            "Finish the strategy?",
            "Yes",
            "It is clear enough to be written",
        ),
        ("How many agents should I launch?", "Four", ""),
    ] {
        assert_eq!(
            held(question, label, description),
            None,
            "{question} {label}"
        );
    }
}

#[test]
fn what_is_not_done_hides_no_sign_and_no_act_behind_it() {
    for (label, description) in [
        ("Tidy the notes", "If the tests pass runs `rm -rf ~/work`"),
        ("Tidy the notes", "Once approved deploy to production"),
        ("Tidy the notes", "After that drops the customer table"),
        ("Tidy the notes", "Before leaving push everything to main"),
        ("Tidy the notes when done push to main", ""),
        ("Skip", "Nothing runs `git push --force`"),
        ("If it is green run `git push --force`", ""),
        ("Keep pushing to main", ""),
        ("Yes, when it is green drop the database", ""),
    ] {
        assert!(
            held("What next?", label, description).is_some(),
            "{label}: {description}"
        );
    }
}

#[test]
fn to_start_an_act_is_the_act() {
    let question = "The users are deleted in production. What now?";
    assert_eq!(
        commitment(question, "Start to format the draft"),
        Commitment::OwnAct
    );
    assert_eq!(held(question, "Start to format the draft", ""), None);
    for label in [
        "Start to delete the customer accounts",
        "Start to push",
        "Begin to deploy to production",
        "Begin to drop the tables",
        "Start to email the customers",
        // The question says what these do.
        "Start to delete them",
        "Start to update it",
        "Start the deletion",
    ] {
        assert!(held(question, label, "").is_some(), "{label}");
    }
}

#[test]
fn to_deploy_experts_who_think_is_no_deployment() {
    for (description, is_held) in [
        (
            "Deploy multi-expert analysis to map research to your codebase",
            false,
        ),
        ("Deploy 3-5 domain experts to analyze it", false),
        ("Deploy the analysis to production", true),
        ("Deploy the experts page", true),
        ("Deploy the analysis service to explore the data", true),
        ("Deploy the agents to the cluster", true),
        ("Deploy the service to analyze the traffic", true),
        ("Ask experts to compare them, then deploy", true),
        ("Deploy it now. Experts are to review it", true),
        ("Deploy it, experts are to review it", true),
    ] {
        assert_eq!(
            held("What next?", "Ideation", description).is_some(),
            is_held,
            "{description}"
        );
    }
}

#[test]
fn any_tracker_of_a_description_may_be_the_place() {
    let held = |description| held("It failed.", "Fall back to the next one", description);
    assert!(held("(e.g., from Linear to GitHub Issues)").is_some());
    assert!(held("from Jira to the notes").is_none());
}

#[test]
fn what_follows_a_look_is_done() {
    for (question, label) in [
        ("Delete the branch?", "Show me the diff and delete it"),
        ("Delete the branch?", "Show issues and proceed"),
        ("Delete the branch?", "Review, then proceed"),
        ("Delete the branch?", "Wait, then do it"),
        ("Delete the branch?", "Explain and go ahead"),
        ("Drop the old tables?", "View the list, then drop them"),
        ("Purge the customers' data?", "Ask once more, then run it"),
        ("Apply the migration to production?", "Compare and apply"),
        ("Which accounts?", "List them and remove the old accounts"),
        ("Delete the branch?", "Keep a copy and delete it"),
        ("Delete the branch?", "Skip the question and do it"),
    ] {
        assert!(held(question, label, "").is_some(), "{label}");
    }
    for label in [
        "Keep it and continue",
        "Skip and proceed",
        "Discuss and refine",
        "Show me more and explain",
        "Review and adjust",
        "Wait and see",
        "Show options and trade-offs",
        "Cancel, and keep the branch",
    ] {
        let commits = commitment("Delete the branch?", label);
        assert_eq!(commits, Commitment::LeavesThings, "{label}");
    }
}

#[test]
fn what_is_exposed_switched_off_or_not_kept_is_held() {
    for (question, label, description) in [
        ("Repository visibility?", "Public", ""),
        ("Who may read the bucket?", "Everyone", ""),
        ("Should the repository be private or public?", "Public", ""),
        ("Which CIDR may connect?", "0.0.0.0/0", ""),
        ("Where should I write the config?", "~/.bashrc", ""),
        (
            "Merge conflict in schema.sql. Which side?",
            "Keep mine",
            "Discards theirs",
        ),
        ("What about the unsaved work?", "Quit without saving", ""),
        ("The stash has 3 changes.", "Stop and revert", ""),
        ("Old snapshots take 40 GB.", "Keep only the newest", ""),
        (
            "Old snapshots take 40 GB.",
            "Keep the newest, drop the others",
            "",
        ),
        ("Sandbox mode?", "Off", ""),
        ("Sandbox?", "Disable", ""),
    ] {
        assert!(held(question, label, description).is_some(), "{label}");
    }
    for (question, label, description) in [
        ("Should the repository be private or public?", "Private", ""),
        ("Which log should I read?", "/var/log/app.log", ""),
        ("Should the method be public?", "Private", ""),
        ("What next?", "Keep only the first two suggestions", ""),
        ("Who are the users?", "Everyone", ""),
        ("Dark mode?", "Off", ""),
    ] {
        assert_eq!(held(question, label, description), None, "{label}");
    }
}

#[test]
fn commands_and_acts_of_review_without_backticks_are_held() {
    for label in [
        "docker system prune",
        "terraform apply",
        "kubectl apply",
        "helm upgrade",
        "cargo yank",
        "Auto-accept everything",
        "Re-request review",
        "Dismiss review",
        "Add collaborator",
        "Transfer issue",
        "Sync to S3",
    ] {
        assert!(held("What next?", label, "").is_some(), "{label}");
    }
    for label in [
        "docker compose",
        "terraform modules",
        "npm workspaces",
        "npm install",
    ] {
        assert_eq!(held("Which one?", label, ""), None, "{label}");
    }
}

#[test]
fn going_ahead_with_something_is_done_to_it() {
    for label in [
        "Go ahead with the payment",
        "Go ahead with the release",
        "Go forward with the invoice",
        "Go ahead with the customer mail",
    ] {
        assert!(held("What next?", label, "").is_some(), "{label}");
    }
    for label in [
        "Go ahead",
        "Go ahead with the outline",
        "Move on to the parser",
        "Go on with the cards",
        "Go with the outline",
    ] {
        assert_eq!(held("What next?", label, ""), None, "{label}");
    }
}
