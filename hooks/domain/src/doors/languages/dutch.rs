//! Dutch and Swedish.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(
        " we ze uit om aan bij nog wel de het een en van ik zal moet met voor op naar jag och det den \
        ska i pa vi att ",
    ),
    alone: list!(
        " contract$ verwijder goedkeur goedgekeur publiceer publicer uitrol uitgerol wachtwoord betaal \
        betal overschrijv intrek ingetrok toestemm uitschakel uitgeschakel uitzet uitgezet afsluit \
        opzeg opgezeg bestel koop$ kopen$ terugbetal factur onderteken vrijgeven vrijgegeven vernietig \
        geforceerd forceer afdwing mergen$ samenvoeg pushen$ productie$ rechten$ onherroep overslaan$ \
        weggooi weggegooi weghal wissen$ wis$ gewist licentie certificaat vertrouwelijk radera radering \
        tabort publicera godkann losenord betala faktura avbryt stang$ stanga$ aterkalla tvinga \
        driftsatt produktion$ behorighet kasta$ kop$ signera uppsag avinstall ",
    ),
    hard: list!(
        " leegmaak leeghal opruim verwerp terugdraai ongedaan herstel weg$ schrap elimineer tomma$ rensa \
        aterstall forstor ",
    ),
    things: list!(
        " winkelier winkels$ huurder student leerling leraar patient gast$ gasten$ deelnemer auteur \
        sollicitant chauffeur burger donateur buren$ ziekenhuis school$ verkoper koper$ vrijwillig \
        ouders$ contract hyresgast elev$ elever$ larare deltagare forfattare sokande medborgare givare \
        granne sjukhus skola$ saljare kopare foraldrar avtalet mensen$ betaling oude$ records$ bedrag \
        saldo$ machine schijf personer folk$ gamla$ poster$ belopp data$ leverantor leverancier klant \
        klanten gebruiker abonnee iedereen alle$ allemaal account database server$ servers$ cluster \
        productie live$ website site$ domein verkeer poort firewall certificaat sleutel toegang admin \
        beheerder root$ rekening kaart$ geld$ bank$ prijs prijzen contract abonnement voorwaarden \
        backup back$ gegevens geschiedenis commits$ hoofdtak main$ master$ remote repository repo$ \
        internet$ netwerk cloud alarm controle beveiliging kund kunder kunden anvandar alla$ allt$ \
        konto$ konton databas servern$ servrar webbplats doman brandvagg atkomst kort$ pengar$ pris$ \
        villkor avtal sakerhetskop historik publik publikt natet$ mejl$ larm skydd granskning ",
    ),
    code: list!(
        " import commentaar opmerking spatie functie klasse knop kleur rand$ variabele parameter \
        kommentar funktion klass knapp farg ",
    ),
    ordinary: list!(
        " welk wat$ hoe$ waar$ wanneer$ waarom wie$ noem hernoem naam$ test uitvoer toon$ tonen$ sorteer \
        format toevoeg voeg$ schrijf$ implementeer gebruik document lezen$ lees$ bekijk zoek \
        reproduceer oplos vergelijk meet$ mock refactor splits doorgaan verder$ begin genereer \
        installeer bijwerk legg vilken vilket vad$ hur$ var$ nar$ varfor namn namnge testa kor$ visa \
        sortera skapa skriv$ anvand dokument lasa titta sok aterge fixa jamfor mat$ fortsatt borja \
        generera uppdatera forklara ",
    ),
    phrases: list!(
        "|laten weten|laat .. weten|rol* .. uit|zet* .. uit/om/over/stop/open|gooi* .. weg|\
        haal* .. weg/offline|sluit* .. af|zeg* .. op|trek* .. in|schakel* .. uit/over/om|gaan we live|\
        de lucht in|de deur uit|knop om|doorgaan met het contract|zoals het is|slapp* .. ut|\
        lagg* .. ner/ut|skicka* .. ut/ivag|lat* .. veta|som det ar|kor vi|drar vi|slappa in|\
        betaling doen|groen licht|niet meer nodig|behovs inte|tryck* pa|live zet*|live gaan|gaat live|\
        live brengen|zet .. live|online zetten|in productie|op productie|naar productie|\
        opnieuw beginnen|van voren af|van nul|namens jou|namens u|uit jouw naam|in jouw naam|\
        voor altijd|voorgoed|voor iedereen|aan iedereen|naar alle|aan alle|alle klanten|openbaar maken|\
        openbaar maak*|maak .. openbaar|toegang geven|geef .. toegang|toegang tot|met geweld|ondanks|\
        toch mergen|zonder review|zonder controle|zonder te vragen|naar buiten|in de prullenbak|\
        de stekker|schoon schip|uit de lucht|plat gooien|ta bort|stang av|stanga av|stang ner|slack ner|\
        live nu|i produktion|till produktion|borja om|fran borjan|fran noll|i ditt namn|for alltid|\
        till alla|for alla|alla kunder|gront ljus|gor .. publik*|gora .. publik*|ge .. atkomst|\
        slang* .. allt|kasta bort|slanga bort|utan granskning|trots .. fel*|skriv over|skriva over|\
        gar live|ga live|lagg .. live|",
    ),
};
