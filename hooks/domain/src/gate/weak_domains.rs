//! Domains of which the door rules know too little to be trusted where nobody looks: law, hardware and money.

use crate::text::{fold, without_accents};

/// Words of law; `*` stands for any ending, and those of [`ENDINGS`] are taken everywhere.
const LAW: &str = "agreement arbitrat* attorney cla clause complian* consent contract* copyright* court custody \
    defendant disclos* dispute divorce dpa eula evict* gdpr heir hipaa indemn* infring* injunction juri* lawful* \
    lawsuit lawyer legal* liab* licence licens* litigat* nda notar* patent petition plaintiff plea plead privacy \
    regulat* sanction settlement sign signator* signature solicitor statut* subpoena sue suing tenan* terms testif* \
    tos trademark* treaty tribunal verdict visa waive* warrant* witness* \
    vertrag* recht* kundig* lizenz* anwalt* gericht* contrat* avocat* juridi* abogad* avvocat* umow* prawn*";

const HARDWARE: &str = "actuator ammeter antenna axis axes battery batteries bios boiler bootloader brake breaker \
    cable calibrat* camera charger circuit cnc coil conveyor coolant crane device dosage dose drill drone efuse \
    elevator energi* engine firmware flash fpga furnace fuse gantry gpio gripper hardware heater hydraulic* ignit* \
    infusion inverter jtag laser lathe machinery microcontroller motor* nozzle oven pacemaker plc pneumatic* power \
    pressure printer propeller pump radiation reactor reflash relay robot* rotor rpm scada sensor servo solder* \
    solenoid spindle steer* temperature thermostat throttle thruster torque turbine uefi valve vehicle ventilator \
    voltage volt watt weld* wiring \
    gerat* ventil* spannung* akku* strom moteur* appareil* maquina* macchin* silnik*";

const MONEY: &str = "account accrual amount auction audit balance bank* bid bill billing bitcoin bond bonus bought \
    broker* btc budget buy buying buyback cash chargeback charge cheque chf commission cost credit* crypto* currenc* \
    customs debit* debt* deposit* discount dividend dollar donat* escrow eth eur euro expens* fee financ* fund funding \
    gbp hedge* iban insur* invest* invoic* lease ledger lend* leverage loan money mortgage overdraft owe paid pay* \
    pension pledge portfolio premium price pricing purchas* refund* reimburs* remit* rent royalt* salar* sell* \
    shareholder shares sold spend spent stake stock stocks subscri* subsid* supplier tariff tax* tender trades trading \
    treasur* tuition usd vendor voucher wage wallet wire withdraw* \
    rechnung* zahl* uberweis* konto* steuer* preis* factur* paiement* banque* argent pago* dinero bolett* fattur* \
    pagament* faktur* platn*";

/// The endings of inflected words.
const ENDINGS: [&str; 6] = ["", "s", "es", "d", "ed", "ing"];

/// The first word of `texts` that is of such a domain.
pub(super) fn touched(texts: &[&str]) -> Option<String> {
    let found = |text: &&str| {
        let folded = fold(text);
        let plain = without_accents(&folded);
        let mut words = plain.split(|c: char| !c.is_alphanumeric());
        words.find(|word| is_of_domain(word)).map(str::to_owned)
    };
    let is_sum = |text: &str| text.contains(['€', '£', '¥', '₹', '$']);
    let sum = || {
        texts
            .iter()
            .any(|text| is_sum(text))
            .then(|| "sum".to_owned())
    };
    texts.iter().find_map(found).or_else(sum)
}

fn is_of_domain(word: &str) -> bool {
    let matches = |entry: &str| match entry.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word
            .strip_prefix(entry)
            .is_some_and(|ending| ENDINGS.contains(&ending)),
    };
    let mut entries = [LAW, HARDWARE, MONEY]
        .into_iter()
        .flat_map(str::split_whitespace);
    !word.is_empty() && entries.any(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_them_is_found() {
        for text in [
            "Accept the terms for the team?",
            "Sign the DPA?",
            "File the motion with the court on Monday?",
            "Waive the confidentiality clause?",
            "Open the inlet valve?",
            "Raise the spindle to 9000 rpm?",
            "Reflash the controller in the field?",
            "Set the heaters to 240 degrees?",
            "Pick the cheaper supplier?",
            "Let the lease run on?",
            "Which plan? It is $40 a month",
            "Sell half of the position?",
            "Den Vertrag kündigen?",
            "Régler la facture ?",
            "𝐏𝐚𝐲 now?",
        ] {
            assert!(touched(&["Which?", text]).is_some(), "{text}");
        }
    }

    #[test]
    fn ordinary_questions_do_not() {
        for text in [
            "Which layout for the page?",
            "More questions about typography, or next area?",
            "In which order shall I write the tests?",
            "Use tabs or spaces, with feedback from the linter?",
            "Split the module, or keep one file? Both have trade-offs.",
            "Wireframe first?",
            "Shall I signal the end of the stream by a fundamental type?",
        ] {
            assert_eq!(touched(&[text]), None, "{text}");
        }
    }
}
