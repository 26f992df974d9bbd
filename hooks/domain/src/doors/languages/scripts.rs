//! Chinese, Japanese and Korean: pieces of text, found anywhere, because these scripts do not part
//! words, or join endings to them. Looked for in the text without white space and without accents.

use crate::doors::entries::{List, list};
use crate::doors::finding::{Finding, Matched};

/// The pieces of one language, each list parted by blanks.
struct Script {
    /// Makes a question one-way wherever it stands.
    alone: List,
    /// One-way with one of the things in the same text.
    verbs: List,
    /// What the verbs endanger.
    things: List,
    /// When something is to happen outside the code.
    times: List,
    /// Question words and what development does: without one, a thing alone makes a question one-way.
    ordinary: List,
}

static CHINESE: Script = Script {
    alone: list!(
        " 换过去 切过去 搬过去 开张 开门迎 让他们知道 打声招呼 知会 放他们 放手 照发 照样 删除 刪除 删掉 刪掉 删了 删光 刪光 清空 清除 清掉 清理掉 抹掉 抹除 擦除 销毁 銷毀 \
        毁掉 扔掉 丢掉 丟掉 丢弃 丟棄 抛弃 舍弃 不要了 干掉 去掉全部 推倒 重来 重來 从头开始 從頭開始 从零开始 從零開始 重新开始 批准 打出去 不留 留着没用 没用了 用不着 进来 \
        放进来 让出 收走 拿走 没收 处决 杀掉 砍 毁 埋 扫掉 腾出 腾空 让他们看 直接改 授权 授權 审批 審批 同意 发布 發布 發佈 部署 上线 上線 上架 下架 下线 下線 公开 \
        公開 支付 付款 付钱 付錢 付费 付費 付账 付賬 付账单 买单 扣款 扣费 扣費 扣钱 转账 轉帳 汇款 匯款 充值 续费 續費 退款 退钱 购买 購買 下单 下單 订购 訂購 密码 \
        密碼 密钥 密鑰 私钥 私鑰 凭证 憑證 凭据 覆盖 覆蓋 权限 權限 合并 合併 合入 回滚 回滾 回退 撤销 撤銷 撤回 强制推送 強制推送 强推 强行 強行 强制 強制 推送 推到 \
        推上去 吊销 吊銷 重置 初始化 格式化 卸载 卸載 停掉 关停 關停 停机 停機 停服 停止服务 关服 关机 關機 关掉服务 跳过审 跳过检 跳过评 跳过验 跳過審 跳過檢 绕过 繞過 \
        无视 忽略失败 忽略检查 条款 條款 协议 協議 签署 簽署 签字 签名同意 合同 合約 订阅 訂閱 注销 註銷 停用 禁用 封禁 解封 踢出 踢掉 发邮件 發郵件 发送邮件 寄信 群发 \
        群發 邮件给 通知客户 通知用户 通知所有 通知大家 告诉客户 告诉所有 告诉大家 生产环境 生產環境 正式环境 正式環境 线上 線上 生产库 生产服务 迁移到 切换到新 切到新 切流量 \
        开放给 開放給 对外 對外 放出 清零 归零 進系統 进系统 承包商 外包 不可逆 无法恢复 無法復原 不能撤 永久 彻底 徹底 一去不 全部删 代表你 代表您 以你的名义 以您的名义 代你 \
        代您 替你 替您 管理员 管理員 root运行 提权 放行 开后门 泄露 外泄 外部 第三方服务 许可证 许可协议 授权书 证书 證書 报销 工资 薪资 发票 發票 账单 賬單 帳單 信用卡 \
        银行卡 上传到 上傳到 分享给 分享給 共享给 发给 發給 交给 交給 寄给 截断 清库 删库 跑路 归档 下掉 砍掉 作废 作廢 取消订阅 取消訂閱 解约 解約 拉黑 提交到主 提到主 \
        提交并推 改历史 改写历史 重写历史 丢失 捐款 打款 结账 結帳 结算 放弃修改 放弃更改 放弃改动 丢失更改 处理掉 摆脱 拿掉旧 去掉旧 给所有人 给大家 面向所有 对所有 全量 放量 \
        灰度 发出去 發出去 寄出 送出去 推出 放出去 信任 不再询问 不用再问 别再问 重新打开 回复评论 "
    ),
    verbs: list!(
        " 给 給 让 讓 把 关 關 停 开 開 改 换 換 切 移 发 發 送 寄 传 傳 重启 重啟 打开 打開 接受 签 付 刷 收 扣 买 買 卖 跳过 跳過 忽略 升级 降级 指向 还原 \
        恢复 断开 踢 删 刪 清 丢 扔 锁 解锁 暴露 告诉 告訴 通知 取消 终止 停止 中止 迁 拆 撤 "
    ),
    things: list!(
        " 商家 租客 学生 老师 家长 患者 病人 客人 嘉宾 参与者 作者 读者 申请人 候选人 司机 市民 邻居 医院 学校 卖家 买家 志愿者 赞助 骑手 同事 上游 客户 客戶 顾客 用户的 \
        用户数据 全体用户 所有用户 所有人 大家 全员 员工 实习生 實習生 供应商 合作方 媒体 账号 賬號 帳號 账户 帳戶 数据库 數據庫 資料庫 服务器 伺服器 集群 机房 防火墙 防火牆 \
        域名 流量 端口 证书 访问 存取 备份 備份 历史记录 主分支 主干 远程 遠端 仓库公 生产 生產 线上 钱 錢 款 价格 價格 合约 订单 訂單 监控 監控 告警 警报 报警 保护 \
        审核 審核 检查直 审查 邮件 郵件 网站 網站 站点 公网 外网 互联网 全世界 向公众 对公众 给公众 快照 磁盘 硬盘 老账 旧账 老用户 旧用户 旧数据 老数据 旧的数据 这笔 "
    ),
    times: list!(
        " 今晚 今天 明天 明早 周末 立刻 立即 马上 馬上 现在就 下班 半夜 午夜 周一 周五 节前 "
    ),
    ordinary: list!(
        " 什么 哪 怎么 如何 多少 几个 命名 重命名 叫什么 测试 运行 格式化代码 格式 排序 显示 展示 文档 注释 函数 变量 类型 组件 样式 布局 颜色 添加 增加 新建 创建 写入单 \
        使用 重构 修复 查看 阅读 继续 下一步 缓存 单元 示例 选择 界面 字段 接口设计 命令行 模块 实现 支持 返回 日志格式 页面 列表 按钮 提示 "
    ),
};

static JAPANESE: Script = Script {
    alone: list!(
        " てしまいま てしまって てしまおう ちゃいま 踏み切 決行 耳に入れ 削除 消去 抹消 破棄 破壊 廃棄 捨て 消して 消しま 消す 消そう 消し 空にし クリアし ワイプ ドロップし \
        トランケート パージ 承認 公開 本番 支払 払いま 払って 払う 課金 請求 引き落と 決済し 決済す 決済を 決済の 送金 振り込 振込 購入 買いま 買って 注文し 発注 契約 解約 退会 返金 払い戻 上書き \
        マージ デプロイ リリース ロールバック 巻き戻 取り消 取消 パスワード 暗証 秘密鍵 シークレット 認証情報 権限 許可し 同意 初期化 リセット フォーマットし アンインストール 失効 \
        無効に 無効化 強制 プッシュし プッシュする 停止 止めま 止めて 止める 落とし シャットダウン 切断 終了させ 再起動 スキップし 飛ばして 省略し 無視して 迂回 バイパス 規約 \
        署名 サインし メールを送 メールし メールを出 送信し 通知し 知らせ 連絡し 告知 発表し 投稿 アップロード 共有し 渡しま 渡して 渡す 譲渡 譲り 提供し 移管 移行し 切り替え \
        切替え ドメイン ルート権限 管理者 元に戻せ 取り返し 後戻り 永久に 完全に消 不可逆 最初からやり直 一からやり直 ゼロから やり直し 代わりに あなたの名前 貴方の代わり 外部に \
        外部へ 社外 第三者 ライセンス 証明書 給与 請求書 クレジットカード 凍結 追い出 締め出 バン 廃止 引退 打ち切 サポート終了 本番環境 稼働 世の中に 世に出 まっさら 全員に \
        皆に みんなに 一般に 顧客に お客様に お客さんに ユーザー全員 全ユーザー 手放 処分 始末 片付けますか いらない 不要な 要らない 手を切 ゴーサイン 許して 開けっぱ 丸ごと \
        全部消 放り込 放り出 損なわ 失われ 失って 諦め 履歴を書き換 差し替え 置き換えてしま 乗っ取 なりすま ログインし 信頼し 再オープン 返信 確認なし 確認せず 今後は聞か 聞かずに 勝手に "
    ),
    verbs: list!(
        " 送 出し 渡 与え 開け 開放 閉じ 切 止 変え 変更 移 戻 入れ 見せ 使って 動か 走らせ 消 捨 売 買 払 上げ 下げ 外し 外す 減ら 取り除 除外 更新 受け入れ 許 教え \
        伝え 返信 書き "
    ),
    things: list!(
        " 店舗 店主 テナント 学生 生徒 先生 保護者 患者 来場者 参加者 作者 読者 応募者 ドライバー 市民 病院 学校 出品者 購入者 ボランティア スポンサー 同僚 上司 先方 顧客 \
        お客 利用者 全員 みんな 皆さん 社員 インターン 業者 取引先 報道 アカウント データベース サーバ クラスタ ファイアウォール ドメイン トラフィック ポート 証明書 アクセス \
        バックアップ 履歴 メインブランチ リモート リポジトリ 鍵 キー カード お金 金額 価格 料金 契約 注文 監視 アラート 警報 保護 レビュー 審査 検査 メール サイト ネット 世界 \
        公衆 スナップショット ディスク 本番 ライブ 顧客データ 個人情報 トークン 古いデータ "
    ),
    times: list!(
        " 今夜 今晩 今日 本日 明日 週末 すぐに 直ちに 今すぐ 深夜 夜中 月曜 金曜 連休 夕方 "
    ),
    ordinary: list!(
        " どの どれ どう 何 どこ いくつ どんな 名前 テスト 表示 並べ 整形 フォーマット 追加 作成 リファクタ 修正 見ても 読 続け 次 関数 変数 型 コンポーネント スタイル \
        レイアウト 色 コメント ドキュメント 実装 対応し 返し 返す ページ 一覧 ボタン モック サンプル 使い 使う 選 "
    ),
};

static KOREAN: Script = Script {
    alone: list!(
        " 오픈할 오픈해 개시할 해버릴 해버려 알려둘 알려드 치울까 치워 들어오게 들여보 없어져도 필요없 끊을 끊어 갈아엎 엎을 풀까 풀어버 뿌릴 뿌려 밀어버 밀까 넣어버 싹다 \
        정리할까요전부 삭제 제거 지울 지우 지워 지운 없앨 없애 버릴 버리 버려 폐기 파기 비울 비우 비워 날릴 날려 초기화 승인 배포 머지 병합 결제 지불 납부 송금 이체 \
        청구서 청구할 환불 구매 구입 주문할까 주문을넣 비밀번호 암호를 비밀키 개인키 시크릿 자격증명 자격 권한 동의 덮어쓰 덮어쓸 강제 푸시할 푸시하 밀어넣 출시 릴리스 공개 \
        게시 발행 올릴까 올려도 올리겠 중지 중단 정지 종료할 종료하 셧다운 끌까요 꺼도 끄겠 비활성 해제 해지 해약 탈퇴 취소할 취소하 되돌릴 되돌리 롤백 건너뛸 건너뛰 \
        무시하고 무시할 우회 약관 계약 서명 라이선스 인증서 보낼까 보내도 보내겠 보낼게 발송 전송할 메일을 통보 알릴까 알려도 공지 공유할 공유하 넘길 넘겨 양도 제공할 전환할 \
        마이그레이션할 이전할 프로덕션 운영서버 운영환경 운영에 라이브 실서버 실서비스 영구 되돌릴수없 돌이킬수 완전히 싹 처음부터 대신 대리 당신이름 외부 제3자 급여 카드로 \
        돈을 돈이 관리자 루트로 차단할 차단해 추방 쫓아 내보낼 전체사용자 모든사용자 모두에게 전원에게 고객에게 고객들에게 사용자들에게 전세계 일반에 정리해버 없던일 포맷할 \
        언인스톨 제명 잠글 풀어줄 열어줄 허용할 허가 신뢰할 묻지않고 확인없이 검토없이 구독 철회 회수 만료시 무효 다시열 답글 재시작할까 재부팅 다운시 내릴까 내려도 입금 출금 충전 갱신할 "
    ),
    verbs: list!(
        " 줄까 줘도 주겠 보낼 보내 열까 열어 닫 끌 꺼 끄 멈출 멈추 바꿀 바꿔 바꾸 옮길 옮겨 옮기 넣을 올릴 올려 내릴 내려 쓸까 써도 사용해도 돌릴 돌려 팔 살까 받을 \
        받아 낼까 내도 가리키 연결할 알릴 알려 답장 건너뛸 재시작 교체 변경할 "
    ),
    things: list!(
        " 점주 세입자 학생 선생님 학부모 환자 손님 참가자 작성자 독자 지원자 기사님 시민 병원 학교 판매자 구매자 봉사자 후원자 동료 상사 고객 사용자데이터 모든사용자 회원 \
        직원 인턴 팀에 업체 파트너 언론 계정 데이터베이스 서버 클러스터 방화벽 도메인 트래픽 포트 인증서 접근 액세스 백업 이력 기록 메인브랜치 원격 저장소 키를 카드 돈 가격 \
        요금 계약 주문 모니터링 경보 알람 보호 리뷰 검토 검사 이메일 메일 사이트 인터넷 세상 대중 스냅샷 디스크 개인정보 토큰 전체 옛날데이터 오래된 "
    ),
    times: list!(" 오늘 내일 주말 지금바로 당장 즉시 자정 월요일 금요일 저녁 밤에 "),
    ordinary: list!(
        " 무엇 뭐 어떤 어디 어떻게 몇 이름 테스트 실행 표시 정렬 포맷 추가 작성 만들 사용할 리팩터 수정 읽 볼까 확인할 계속 다음 함수 변수 타입 컴포넌트 스타일 레이아웃 \
        색 주석 문서 구현 지원 반환 페이지 목록 버튼 모의 예제 쓸까 선택 "
    ),
};

/// Long enough for any question.
const LONGEST: usize = 16 * 1024;

/// The first piece or pair that `text`, the one numbered `number`, holds.
pub(in crate::doors) fn first(number: usize, text: &str) -> Option<Finding> {
    if text.is_ascii() || !text.chars().any(is_of_a_script) {
        return None;
    }
    let joined: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let joined = joined
        .get(..joined.floor_char_boundary(LONGEST))
        .unwrap_or_default();
    let asks = ASKING.split(' ').any(|word| joined.contains(word));
    let is_no_act = |after: &str| asks && is_widget(after) || is_not_done(after);
    let scripts = [&CHINESE, &JAPANESE, &KOREAN];
    scripts.iter().find_map(|script| {
        let thing_alone = || {
            let found = piece(&script.things, joined).or_else(|| piece(&script.times, joined));
            found.filter(|_| piece(&script.ordinary, joined).is_none())
        };
        let alone = piece_but(&script.alone, joined, &is_no_act)
            .map(|word| (format!("word: {word}"), vec![word]));
        let pair = || {
            let (verb, thing) = (
                piece(&script.verbs, joined)?,
                piece(&script.things, joined)?,
            );
            Some((format!("pair: {verb} × {thing}"), vec![verb, thing]))
        };
        let found = alone.or_else(pair);
        let (reason, words) = found
            .or_else(|| thing_alone().map(|thing| (format!("thing: {thing}"), vec![thing])))?;
        let matched = |word: &str| Matched {
            text: number,
            word: word.to_owned(),
        };
        Some(Finding {
            reason,
            matched: words.into_iter().map(matched).collect(),
        })
    })
}

fn is_of_a_script(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

/// Words of a question what something should be like.
const ASKING: &str =
    "什么 哪 怎么 多少 どの どちら どれ どう どんな 何 무엇 뭐 어떤 어느 어디 어떻게 몇 几个 多大";

/// Parts of a screen.
const WIDGETS: &str = "按钮 图标 确认框 对话框 弹窗 菜单 提示框 ボタン アイコン ダイアログ メニュー ラベル 確認画面 버튼 아이콘 \
    대화상자 메뉴 라벨";

/// True when the piece before `after` only says which button, icon or dialog: "删除*按钮*", "強制終了*ダイアログ*".
fn is_widget(after: &str) -> bool {
    /// How many characters may stand between.
    const BETWEEN: usize = 2;
    after
        .char_indices()
        .take(BETWEEN + 1)
        .filter_map(|(at, _)| after.get(at..))
        .any(|rest| WIDGETS.split(' ').any(|widget| rest.starts_with(widget)))
}

/// True when the act before `after` is said not to be done: "破壊*しない*".
fn is_not_done(after: &str) -> bool {
    const NEGATIONS: &str = "しない しません されない されません せずに 하지않 되지않";
    let mut negations = NEGATIONS.split(' ');
    negations.any(|negation| after.starts_with(negation))
}

fn piece(list: &'static List, text: &str) -> Option<&'static str> {
    piece_but(list, text, &|_| false)
}

/// As [`piece`], without those whose following text is an exception.
fn piece_but(
    list: &'static List,
    text: &str,
    is_exception: &dyn Fn(&str) -> bool,
) -> Option<&'static str> {
    text.char_indices().find_map(|(at, _)| {
        let rest = text.get(at..)?;
        list.starting(rest)?.find(|piece| {
            rest.strip_prefix(piece)
                .is_some_and(|after| !is_exception(after))
        })
    })
}
