//! What `doctor` finds.

use serde_json::Value;

use super::{World, unwrapped};

impl World {
    /// What `doctor` writes, each line that it wrapped in one again.
    pub(crate) fn doctor(&self, words: &[&str]) -> String {
        unwrapped(&self.run(&[&["doctor"], words].concat()).stdout)
    }

    /// The findings called `name`: status, message and remedy.
    pub(crate) fn findings(&self, name: &str) -> Vec<(String, String, String)> {
        let ran = self.run(&["doctor", "--json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(json["schema_version"], 1);
        let checks = json["checks"].as_array().unwrap();
        let failed = checks.iter().any(|check| check["status"] == "failed");
        assert_eq!(ran.code, i32::from(failed));
        let named = checks.iter().filter(|check| check["name"] == name);
        let found = named.map(|check| {
            let text = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
            (text("status"), text("message"), text("remedy"))
        });
        found.collect()
    }

    /// The only finding called `name`.
    pub(crate) fn finding(&self, name: &str) -> (String, String, String) {
        let mut found = self.findings(name);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }
}
