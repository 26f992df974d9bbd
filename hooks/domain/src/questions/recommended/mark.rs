//! The mark of a recommended option: `(Recommended)` at the end of its label.

/// Words that mark a recommended option when they stand alone in brackets at a label's end.
/// Lower case; compared without regard to case.
const MARKS: &str = "recommended 推奨 おすすめ オススメ 推荐 推薦 建议 建議 권장 추천 empfohlen recommandé recommandée \
    conseillé recomendado recomendada recomanat recomanada consigliato consigliata raccomandato aanbevolen \
    рекомендуется рекомендовано zalecane önerilen rekommenderas";

const BRACKETS: [(char, char); 4] = [('(', ')'), ('（', '）'), ('[', ']'), ('【', '】')];

/// `label` without its mark of recommendation, and whether it had one. White space around the
/// label goes as well.
pub fn strip_mark(label: &str) -> (&str, bool) {
    let label = label.trim();
    for (open, close) in BRACKETS {
        let Some((head, mark)) = label
            .strip_suffix(close)
            .and_then(|inside| inside.rsplit_once(open))
        else {
            continue;
        };
        let mark = mark.trim().to_lowercase();
        if !head.trim().is_empty() && MARKS.split(' ').any(|one| one == mark) {
            return (head.trim_end(), true);
        }
    }
    (label, false)
}
