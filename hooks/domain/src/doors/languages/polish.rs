//! Polish.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(" o tym czy w na z i do sie nie to jest mam "),
    alone: list!(
        " usun usuw skasow skasuj kasow kasuj zatwierdz opublik publikow wdroz wdraz wdrozy hasl haslo \
        zaplac oplac platnosc nadpis wycof odwolac cofn cofa uprawn zgod$ zgody$ zgode$ zgadza podpis \
        kupic$ kupn zamow zwroc zwrot wylacz zatrzym zmerg scalic$ scal$ wymus wypchn produkcj$ \
        produkcje produkcji nieodwrac pomin pominac certyfikat licencj poufn wyrzuc skasowac zniszcz \
        sformat odinstal anulow wypusc zerow tajn ",
    ),
    hard: list!(" wyczysc czysc oproznic opro wymaz porzuc odrzuc zresetow sprzata pozby "),
    things: list!(
        " sklep najemc student uczniow uczniom nauczyciel pacjent gosci$ gosciom uczestnik autor \
        kandydat kierowc obywatel darczync sasiad szpital szkol sprzedawc kupuj wolontar rodzic sponsor \
        kurier lekarz partner dane$ danych$ wszystkich$ ludzi$ ludziom$ rekord stare$ starych$ platnosc \
        plac$ kwot saldo$ urzad maszyn dysk klient uzytkown subskryb czlonk zespol praktykant stazyst \
        dostawc wszystkim$ wszystko$ wszystkie$ konto$ konta$ baz$ baze$ bazy$ baza$ serwer klaster \
        produkcj stron$ strone$ domen ruch$ port$ firewall zapor klucz dostep admin root$ rachun faktur \
        kart$ karte$ karty$ pieniadz cen$ cene$ ceny$ umow warunk kopi zapasow backup histori commit \
        galez galaz glown repozytor internet siec$ sieci$ chmur alarm kontrol weryfik ochron mail$ \
        maila$ maile$ publiczn regulamin ",
    ),
    code: list!(
        " import komentarz spacj zmienn parametr funkcj metod klas przycisk ikon kolor testow nazw ",
    ),
    ordinary: list!(
        " ktory ktora ktore jaki jaka jakie co$ jak$ gdzie$ kiedy$ dlaczego kto$ ile$ nazw test wyswietl \
        pokaz sortow posortow format dodac$ doda utworz napisac$ implement uzyc$ uzy$ uzyj dokument \
        czyta przeczyt szuka poszuka naprawic$ napraw porown zmierz mock refaktor podziel kontynu \
        zaczac$ zaczn generow wygener instal zaktualiz wyjasn grup obslug waliduj wybra ",
    ),
    phrases: list!(
        "|dac znac|damy znac|dajemy znac|ruszamy|startujemy|odpalamy|tak jak jest|przelaczamy|\
        wypuszczamy|niech .. wiedza|niech znik*|zakrecic kurek|dac zielone|nie potrzebuj*|\
        juz nie potrzeb*|na produkcj*|na proda|od nowa|od zera|w twoim imieniu|w panstwa imieniu|\
        na zawsze|raz na zawsze|dla wszystkich|do wszystkich|wszystkim klientom|zielone swiatlo|\
        dac dostep|nadac dostep|dostep do|do kosza|na sile|mimo bled*|mimo to|bez przegladu|bez pytania|\
        bez potwierdz*|na zewnatrz|na zywo|upublicznic*|uczynic publiczn*|z karty|pozbyc sie|\
        otworzyc port|",
    ),
};
