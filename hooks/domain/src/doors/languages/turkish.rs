//! Turkish.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(" mi mu bu ve bir icin "),
    alone: list!(
        " silin silme silelim sileyim silsin silinsin silebilir silmek sil$ siliyor onayl yayinl yayinla \
        sifre dagit$ dagital dagitayim odeme odeyeyim odeyelim odensin$ satin abonel iptal iade imzal \
        yetki izinler uzerine kaldir sifirla zorla kapatayim kapatalim kapatsam kapatmak kapansin \
        kapat$ durdur devre bosalt temizle birles mergel canliya uretime prod$ kalici lisans sertifika \
        gizli atla$ atlayalim atlayayim ucur formatla vazgec ",
    ),
    hard: list!(" atalim atayim cope bosver "),
    things: list!(
        " kiraci ogrenci ogretmen hasta$ hastalar misafir katilimci yazar$ yazara aday surucu vatandas \
        bagisci komsu hastane okul satici gonullu veliler ortaklar insan eski$ kayit odeme tutar bakiye \
        makine disk erisim musteri kullanici abone uye ekip takim$ stajyer tedarik herkes hepsi tum$ \
        hesap veritaban sunucu kume uretim canli site$ siteyi alan$ trafik port$ guvenlik anahtar \
        yonetici admin root$ fatura kart para$ parayi banka fiyat sozlesme sart kosul yedek veri$ \
        verileri gecmis commit dal$ dali ana$ depo$ depoyu internet ag$ bulut alarm denetim kontrol \
        koruma eposta posta$ ",
    ),
    code: list!(" import yorum bosluk degisken parametre fonksiyon metot sinif$ dugme simge renk ",),
    ordinary: list!(
        " hangi ne$ nasil nerede$ nereye neden kim$ kac$ isim$ adi$ adini adlandir test calistir goster \
        sirala bicim ekle olustur yarat uygula kullan belge oku$ okuyay bak$ ara$ coz$ duzelt \
        karsilastir olc$ refaktor bol$ basla$ uret$ kur$ guncelle acikla grupla dogrula sec$ tercih ",
    ),
    phrases: list!(
        "|haber ver*|basliyoruz|basliyor muyuz|aciyoruz|oldugu gibi|geciyoruz|geciyor muyuz|yayindayiz|\
        bilsinler|haberi olsun|yesil isik|artik gerek*|lazim degil|canliya al*|canliya cik*|\
        sifirdan basla*|bastan basla*|bastan|senin adina|sizin adiniza|sonsuza kadar|geri donus*|\
        herkese ac*|herkese acik|herkese|erisim ver*|yetki ver*|e posta gonder*|cope at*|zorla push*|\
        ragmen|onaysiz|sormadan|disariya|yayina al*|fisi cek*|geri al*|yok et*|uzerine yaz*|devre disi|",
    ),
};
