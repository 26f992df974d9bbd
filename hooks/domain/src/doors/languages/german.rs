//! German.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(
        " der die das den dem ein eine einen einem soll ich du wir und nicht ist mit fur auf zu von im \
        wie welche welcher welches jetzt diese dieser diesen mir uns doch noch auch kann darf sollen \
        sie es alten alte in wo was ",
    ),
    alone: list!(
        " stummschalt stummzuschalt auflosen$ auflosung wegraum veroffentlich veroeffentlich publizier \
        deployen bereitstell ausroll ausgeroll freischalt freigeschalt freigeb freigab freigegeb \
        genehmig bewillig bezahl begleich uberweis ueberweis zahlung abbuch passwort passworter \
        kennwort zugangsdat zugriffsrecht zugriffsdat berechtig vollmacht einwillig zustimm widerruf \
        widerrief entzieh kundig stornier erstatt ruckerstatt ruckzahl bestell einkauf kaufen$ kaufe$ \
        abonnier unterschreib unterschrift unterzeichn uberschreib ueberschreib zerstor vernicht \
        ausmuster stilllegen stillleg stilleg abschalt abzuschalt abgeschalt ausschalt ausgeschalt \
        herunterfahr heruntergefahr runterfahr mergen$ merge$ gemergt mergt zusammenfuhr pushen$ \
        gepusht forcepush uberspring ueberspring ubersprungen erzwing erzwungen zwangs gewaltsam \
        produktion produktiv livegang livesystem liveserver loswerd loszuwerd wegwerf wegzuwerf \
        weggeworf wegschmeiss datenschutz vertraulich geheimnis unwiderruflich endgultig \
        unwiederbringlich absegn durchwink abnick lahmleg rauswerf rausschmeiss hochschieb hochzulad \
        geld$ gehalt gehalter lohn kreditkart bankkonto schlussel$ apischlussel administratorrecht \
        adminrecht schutzmechan haftung rechtsverbind verbindlich$ umgehen$ ausgehebel aushebel verkauf \
        spende$ spenden$ tabula lizenz ",
    ),
    hard: list!(
        " losch loesch geloscht ausloesch entfern verwerf verwirf verworf leeren$ leere$ geleert entleer \
        ausleer beseitig zurucksetz zuruckgesetz zuruckroll zuruckdreh ruckgangig tilg ausradier \
        zerschlag platt$ plattmach abreiss abraum entsorg ausmist kappen$ verschrott eliminier ",
    ),
    things: list!(
        " mieter student schuler lehrer patient gast$ gaste$ gasten$ teilnehmer autor$ autorin autoren$ \
        bewerber fahrer$ burger spender nachbar krankenhaus schule verkaufer kaufer freiwillig sponsor \
        eltern$ stationen$ handlern$ filiale leuten leute$ menschen$ altlast datensatz datensatze \
        eintrage bestand bestell postfach postfacher betrag guthaben abbuch mitarbeit geschaftsfuhr \
        behorde finanzamt anwalt gericht maschine rechenzentrum festplatte platte$ laufwerk papierkorb \
        aufzeichnung protokoll warnmeldung kontroll kund nutzer$ nutzern benutzer anwender abonnent \
        mitglied mitarbeiter praktikant kolleg chef$ lieferant dienstleister presse offentlich welt$ \
        alle$ allen$ jeder$ jedem$ jeden$ konto$ konten kontos datenbank db$ cluster server$ servern \
        liveserver produktiv prod$ live$ website webseite internetseite domain domane dns$ traffic \
        port$ firewall zertifikat zugriff zugang rechte$ rechten$ admin administrator root$ rechnung \
        karte$ bank$ preis vertrag vertrage abo$ abos$ bedingung agb$ nutzungsbedingung backup \
        sicherung sicherheitskop kundendat personendat personenbezog daten$ history historie verlauf \
        commits$ hauptzweig main$ master$ remote geheim internet$ netz$ netzwerk cloud alarm uberwach \
        sicherheit prufung schutz repo$ repository registr umgebung staging account accounts store$ \
        release$ veroffentl notfall betrieb telefon ",
    ),
    code: list!(
        " import kommentar leerzeich leerzeil einruck semikol variab parameter funktion methode klass \
        knopf button icon farb$ farbe rand$ rander schatten todo tippfehl warnung duplik platzhalt \
        testdat mock fixture zeilenumbr ",
    ),
    ordinary: list!(
        " welch was$ wie$ wo$ wann$ warum wieso wer$ ob$ nenn umbenenn benenn heiss test ausfuhr anzeig \
        zeig darstell sortier format erweiter erganz hinzufug anpass erstell anleg einbau umsetz \
        implementier nutz verwend benutze$ benutzen$ brauch dokument lesen$ lese$ ansehen anseh anschau \
        such reproduzier fix beheb korrigier vergleich messen$ mock simulier refaktor refaktorier \
        aufteil weitermach fortfahr fortsetz beginn anfang$ anfangen$ bauen$ baue$ kompilier lint \
        generier zuruckgeb zuruckliefer cachen$ ausgeb einruck umwandel konvertier install aktualisier \
        commit$ committen zusammenfass erklar gruppier unterstutz behandel validier pruf ",
    ),
    phrases: list!(
        "|wissen lassen|wissen lasst|davon erfahren|so wie es ist|so wie er ist|so wie sie ist|\
        ab die post|los damit|los geht*|schalt* .. um/ab/frei|roll* .. aus|\
        fahr* .. runter/herunter/hoch|dreh* .. ab/zu|werf* .. weg/raus|wirf* .. weg/raus|\
        geb* .. frei/raus|zieh* .. zuruck/um|spiel* .. ein/zuruck|setz* .. zuruck|leg* .. still/lahm|\
        mach* .. dicht/weg|sperr* .. aus|stimm* .. zu|meld* .. ab|hau* .. raus|nehm* .. vom|\
        stell* .. ab/online/live|raum* .. weg/leer|kipp* .. weg|schmeiss* .. weg/raus|\
        lass* .. verschwinden|bring* .. raus|mit an bord|den hahn zu*|den schalter um*|\
        zum laufen bring*|tests rot*|obwohl .. rot*|obwohl .. fehl*|den zugang|einfach durch*|trotz*|\
        nicht mehr gebraucht|nicht mehr brauch*|brauchen wir nicht mehr|ab damit|her damit|\
        auf knopfdruck|roten knopf|scharf schalt*|scharf stell*|auf die menschheit|abschied*|\
        zum alten eisen|ausser kraft|in kraft|weg mit|weg damit|kann das weg|kann .. weg|konnen .. weg|\
        konnte .. weg|durfen .. weg|darf .. weg|alles weg|sollen .. weg|soll .. weg|live schalt*|\
        live stell*|live setz*|live geh*|geht live|gehen live|live nehm*|live bring*|in betrieb nehm*|\
        ausser betrieb|vom netz|offline nehm*|offline schalt*|online stell*|online geh*|online nehm*|\
        ins netz|ins internet|in die welt|von vorn|von vorne|von null|neu anfang*|ganz von neu*|\
        neu aufsetz*|in deinem namen|in ihrem namen|in meinem namen|in seinem namen|fur immer|fur alle|\
        auf nimmerwiedersehen|nicht mehr ruckgangig|kein zuruck|gibt kein zuruck|grunes licht|geht raus|\
        gehen raus|raus damit|raus schick*|rausschicken|nach aussen|ausser haus|auf den live*|\
        auf den produktiv*|aufs live*|auf prod|auf live|in prod|ohne ruckfrag*|ohne zu fragen|\
        ohne nachzufragen|ohne prufung|ohne review|ohne freigabe|ohne backup|ohne sicherung|als root|\
        als admin|mit gewalt|mit force|trotzdem zusammen*|trotzdem merg*|trotz .. fehl*|trotz rot*|\
        trotz .. warn*|sein lassen|gut sein|allen bescheid|bescheid geb*|bescheid sag*|uber bord|\
        in den mull|in die tonne|in den papierkorb|den stecker|stecker zieh*|licht aus|reinen tisch|\
        tabula rasa|platz schaff*|platz mach*|frei geb*|auf eigene gefahr|das risiko|den vertrag|\
        vom server|vom markt|vom konto|in rechnung|die karte|auf die karte|mit der karte|zum kunden|\
        zu den kunden|an den kunden|an die kunden|an alle|an kunden|an jeden|an dritte|an den anbieter|\
        an extern*|zum release|den release|das release|die geschichte neu|historie um*|verlauf .. neu|\
        verlauf um*|neu schreib*|neu starten|dicht mach*|aus dem verkehr|rechte geb*|zugriff geb*|\
        zugang geb*|unverschlusselt|im klartext|alarm* aus|firewall aus|schutz aus|freie hand|\
        offen lass*|einfach durch|die welt|der welt|endlich raus|schluss mit|schluss machen|\
        abschied nehmen|",
    ),
};
