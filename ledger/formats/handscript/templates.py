"""The template of every event's line, in the order of the vocabulary. `grammar` explains templates.

An event with several templates is read by any of them, and written by the first that fits its values.
"""

from __future__ import annotations

from typing import Final

from ledger import presence as p
from ledger.case import events as c
from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.options import OPTIONS
from ledger.house import events as h
from ledger.table import events as t
from ledger.table import money_events as m

_CHIP_OPTIONS: Final = "|".join(name for name, one in OPTIONS.items() if one.value_kind == "chips")
_ALL_IN: Final = "[{all_in:all-in/not-all-in}]"
_BOARD: Final = "[board {board}] [run {run}] [{face_up:/face-down}] [deck {deck}] [stuck {stuck}]"
_PLACE: Final = (
    "[venue {venue}] [table {table}] [tournament {tournament}] [club {club}] [seats {seats}] "
    "[witness {witnesses~witnesses}]"
)

TEMPLATES: Final[tuple[tuple[type[Event], str], ...]] = (
    # before the first act
    (o.HandOpened, "hand {number} [{started~started}] [written {written}] " + _PLACE),
    (
        o.GameSet,
        (
            "game {variant~game} {betting} {format} [blinds {blinds}] [ante {ante}] [bets {bets}] "
            "[bring-in {bring_in}] [written {written}] [unit {unit} {exponent}]!"
        ),
    ),
    (o.OptionSet, f"option {{option={_CHIP_OPTIONS}}} {{value~chips-option}}"),
    (o.OptionSet, "option {option} {value~option}"),
    (
        o.TournamentSet,
        (
            "level {level~level} [buy-in {buy_in~cents}] [fee {fee~cents}] "
            "[bounty {bounty~cents}] [currency {currency}] [written {written}]"
        ),
    ),
    (o.SeatDealtIn, "seat {seat} {player} {stack} [bounty {bounty~cents}]"),
    (o.SeatLeftOut, "left-out {seat} {player} {stack} [{reason}]"),
    (o.ButtonPlaced, "button {seat~none}"),
    (o.BlindPositionPlaced, "position {role} {seat~none}"),
    (o.BlindPosted, "{seat} posts {role} {live} [dead {dead}] " + _ALL_IN),
    (o.StraddlePosted, "{seat} straddles {amount} [{kind}] [{live:/not-live}] " + _ALL_IN),
    (o.AntePosted, "{seat} antes {amount} [{for_table:for-table}] [{kind}] " + _ALL_IN),
    (o.BringInPosted, "{seat} brings-in {amount} " + _ALL_IN),
    (o.BlindSkipped, "skipped {role} [seat {seat}] [{reason}]"),
    (o.PostReturned, "{seat} takes-back {amount} [{role}] [{dead:dead}]"),
    (o.DeadMoneyTaken, "{seat} pays-dead {amount}"),
    (o.PotSeeded, "seeded {kind} {amount}"),
    (
        o.PermissionGranted,
        "allowed {subject} by {by} [seat {seat}] [scope {scope}] [person {person}] [amount {amount}]",
    ),
    (o.Agreed, "agreed {subject} {seats}"),
    # cards
    (d.HoleCardsDealt, "{seat} gets {cards} [up {up}] [{how}] [deck {deck}]"),
    (d.DealCompleted, "deal done"),
    (d.StreetDealt, "street {street}"),
    (d.HoleCardsLearned, "{seat} held {cards} [{how}]"),
    (d.CardsOpened, "opened-card {seat} {commitment} {card}"),
    (d.CardBurned, "burn {street} [{card}] [deck {deck}] [from {source}]"),
    (d.BoardDealt, "{street=flop|turn|river} {cards} " + _BOARD),
    (d.BoardDealt, "board {street} {cards} " + _BOARD),
    (d.BoardTurnedUp, "turned-up {street} [{cards}] [board {board}]"),
    (d.BoardWithdrawn, "withdrawn {street} {cards} [to {to}] [board {board}] [deck {deck}]"),
    (d.CardsDiscarded, "{seat} discards {count} [{cards}]"),
    (d.CardsDrawn, "{seat} draws {cards} [{how}]"),
    (d.StoodPat, "{seat} stands-pat"),
    (d.CardExposed, "exposed {card} [seat {seat}] [by {cause}] [deck {deck}]"),
    (d.CardReplaced, "{seat} swaps {old} for {new} [from {source}] [deck {deck}]"),
    (d.CardReturned, "returned {card} [{position}] [{face_up:face-up}] [seat {seat}] [deck {deck}] [from {source}]"),
    (d.ExtraCardDealt, "{seat} gets-extra [{card}] [deck {deck}]"),
    (d.BoxedCardFound, "boxed {card} [seat {seat}] [deck {deck}]"),
    (d.JokerFound, "joker [seat {seat}] [deck {deck}]"),
    (d.WrongCountFound, "{seat} holds {count}"),
    (d.MisdealDeclared, "misdeal [{reason}] [by {by}]"),
    (d.ErrorNoticed, "noticed {kind} [by {by}] [seat {seat}]"),
    (d.CardsViewed, "{seat} looks"),
    (d.DeckShuffled, "shuffle [with {includes}] [without {excludes}] [count {count}]"),
    (d.DeckCut, "cut"),
    (d.RabbitShown, "rabbit {cards} [street {street}] [board {board}]"),
    # betting
    (b.Folded, "{seat} folds [{cards}]"),
    (b.Checked, "{seat} checks"),
    (b.Called, "{seat} calls [{added}]! [to {to}] " + _ALL_IN),
    (b.Bet, "{seat} bets {added} [to {to}] " + _ALL_IN),
    (b.Raised, "{seat} raises to {to} [adding {added}] " + _ALL_IN),
    (b.Completed, "{seat} completes to {to} [adding {added}] " + _ALL_IN),
    (b.Declared, "{seat} says {what} [{amount}] [{manner}] [as {words}]"),
    (b.ChipsMoved, "{seat} moves {amount} [motion {motion}] [chips {chips}]"),
    (b.ChipsReturned, "{seat} given-back {amount} [{reason}]"),
    (b.BetReturned, "{seat} uncalled {amount}"),
    (b.BettingClosed, "closed {street}"),
    (b.RaisesCapped, "capped"),
    (b.HandKilled, "{seat} killed [{reason}] [by {by}]"),
    (b.HandRetrieved, "{seat} retrieves [by {by}]"),
    (b.ClockCalled, "clock {seat} [by {by}] [seconds {seconds}]"),
    (b.ClockExpired, "{seat} timed-out [{connected:connected/disconnected}]"),
    (b.TimeBankUsed, "{seat} time-bank [seconds {seconds}]"),
    (b.TimeWarned, "{seat} warned [seconds {seconds}]"),
    (b.RunsOffered, "{seat} offers-runs {runs}"),
    (b.RunsAnswered, "{seat} answers-runs {runs}"),
    (b.RunsAgreed, "runs {runs}"),
    (b.CashOutTaken, "{seat} cashes-out [{price}] [fee {fee}]"),
    (b.InsuranceBought, "{seat} insures {premium} [covers {covers}]"),
    (b.InsurancePaid, "{seat} insurance-paid {amount}"),
    # from the showdown on
    (e.ShowdownBegun, "showdown [run {run}]"),
    (e.CardsShown, "{seat} shows {cards} [{after:after}] [claim {claim}]"),
    (e.CardsMucked, "{seat} mucks [{cards}] [{declined:declined}]"),
    (e.CardsTurnedDown, "{seat} turns-down"),
    (e.BoardPlayDeclared, "{seat} plays-board [{manner}]"),
    (e.PotAwarded, "{seat} wins {amount} [from {pot~pot}] [run {run}] [board {board}] [{half}]"),
    (e.PotTakenBack, "{seat} hands-back {amount}"),
    (e.PotImpounded, "impounded [{amount}] [pot {pot~pot}]"),
    (e.DropTaken, "{kind=rake|jackpot} {amount}"),
    (e.DropTaken, "drop {kind} {amount}"),
    (e.BountyWon, "{seat} bounty {amount} [over {over}] [{kind}]"),
    (e.PlayerFinished, "{seat} finished [rank {rank}] [prize {prize}]"),
    (e.ResultDeclared, "declared {what} [seat {seat}] [{amount}] [cards {cards}] [number {number}]"),
    (e.HandVoided, "voided [{reason}]"),
    (e.HandCompleted, "completed"),
    (e.RemarkNoted, "remark {text}"),
    (e.LineUnread, "unread {text}"),
    (e.CorrectionMade, "correction {voids} after {after} [count {count}] [by {by}] [person {person}] [why {why}]"),
    (e.HandSealed, "sealed {events} {root} from {first} to {last} [number {number}]"),
    # people and chips, within a hand or between hands
    (p.SeatTaken, "{seat} sits {player~person} [{origin}] [stack {stack}]"),
    (p.SeatLeft, "{seat} leaves {player~person} [{reason}] [stack {stack}]"),
    (p.SeatMoved, "moved {player~person} from {origin} to {to}"),
    (p.PlayerAway, "{seat} away [player {player}] [{in_room:in-room/not-in-room}] [{why}]"),
    (p.PlayerBack, "{seat} back [player {player}]"),
    (p.DealOutRequested, "{seat} deal-out"),
    (p.WaitDeclared, "{seat} waits [for {wait_for}]"),
    (p.EntryDeferred, "{seat} deferred [player {player}] [until {until}]"),
    (p.MarkerGiven, "{seat} marker {kind}"),
    (p.MarkerTaken, "{seat} marker-off {kind}"),
    (p.PlayerBusted, "{seat} busts [player {player}]"),
    (p.ChipsAdded, "{seat} adds {amount} [{kind}] [by {by}] [player {player}]"),
    (p.ChipsRemoved, "{seat} removes {amount} [{kind}] [by {by}] [player {player}]"),
    (p.StackCounted, "{seat} counted {amount} [before {before}] [by {by}]"),
    (p.ConnectionLost, "{seat} offline [player {player}]"),
    (p.ConnectionRestored, "{seat} online [player {player}]"),
    (p.WordsSaid, "said {words} [seat {seat}] [player {player}] [by {by}]"),
    (p.FloorCalled, "floor-called [by {by}] [seat {seat}]"),
    (p.FloorRuled, "ruled {by} [decision {decision}] [clause {clause}] [seat {seat}]"),
    # a table
    (t.TableOpened, "table-opened " + _PLACE + " [opening {opening}]"),
    (t.GameStarted, "game-started"),
    (t.GameBroken, "game-broken"),
    (
        t.HandPlayed,
        (
            "played {number} {hand} {betting} {format} {completed:completed/not-completed} "
            "witness {witnesses~witnesses} [{started}] [blinds {blinds}] [button {button}] "
            "[small {small}] [big {big}] [posts {posts}] [skipped {skipped}] "
            "[dealt-in {dealt_in}] [left-out {left_out}] [bets {bets}] "
            "[bring-in {bring_in}] [ante {ante}] [variant {variant}] "
            "[unit {unit} {exponent}] [seats {seats}] [level {level}] [options {options}] "
            "[within {within}] [voided {voided}] [clock {clock}] [late {late}] "
            "[{contradicts:contradicts-itself}]"
        ),
    ),
    (t.OrderTold, "order after {after} before {before} [after-hand {after_hand}] [before-hand {before_hand}]"),
    (t.HandsMissing, "missing after {after} [before {before}] [count {count}]"),
    (
        t.AccountPlaced,
        "account {number} {hand} tells {of} [{doubtful:doubtful}] [by {by}] [person {person}] [why {why}]",
    ),
    (
        t.AccountChosen,
        "stands {number} {hand} [instead {instead}] [by {by}] [person {person}] [why {why}] [rule {rule}]",
    ),
    (t.SeatsAssigned, "seats-assigned {method}"),
    (t.ButtonDrawn, "button-drawn {seats} [winner {winner}]"),
    (t.ButtonBought, "{seat} buys-button [{amount}]"),
    (t.SeatRequested, "seat-asked {player} [seat {seat}] [stack {stack}]"),
    (t.SeatRequestAnswered, "seat-answered {player} {granted:granted/refused} [by {by}] [stack {stack}]"),
    (t.RemovalQueued, "removal [player {player}] [by {by}] [{withdrawn:withdrawn}]"),
    (t.StakesChanged, "stakes [blinds {blinds}] [ante {ante}] [bets {bets}] [level {level}]"),
    (t.GameChanged, "game-changed {variant~game} {betting}"),
    (t.TablePaused, "paused [{why}]"),
    (t.TableResumed, "resumed"),
    (t.HostChanged, "host {player~person} [previous {previous}]"),
    (t.DealerChanged, "dealer {dealer~person} [previous {previous}]"),
    (t.DeckChanged, "deck-changed [deck {deck}] [by {by}]"),
    (t.PlayerIdentified, "identified {old~person} as {new~person}"),
    (t.PlayerEstablished, "{seat} established [player {player}]"),
    (t.BlindsOwed, "{seat} owes [{roles}] [player {player}]"),
    (t.AbsenceTold, "{seat} away-since {since~hand} [player {player}]"),
    (t.PlayerEliminated, "eliminated {player~person} [rank {rank}] [seat {seat}]"),
    (t.BountyPaid, "bounty-paid {player~person} {amount} [over {over}]"),
    (t.TimeChargeTaken, "{seat} time-charge {amount}"),
    (t.HouseNoticePosted, "notice {text}"),
    # the money around a table
    (m.BoxCounted, "{kind=drop|jackpot|promotion}-box {amount} [shift {shift}]"),
    (m.ChipsFilled, "fill {amount}"),
    (m.ChipsCredited, "credit {amount}"),
    (m.TrayCounted, "tray {amount}"),
    (m.FundPaid, "{kind=jackpot|promotion}-paid {player~person} {amount} [hand {hand}]"),
    (m.EntrySold, "{kind=entry|re-entry|rebuy|add-on} {player~person} {price} [fee {fee}] [gets {chips}]"),
    (m.PrizePoolStated, "prize-pool {amount} [guaranteed {guaranteed}] [added {added}]"),
    (m.PrizePaid, "prize {place} {player~person} {amount}"),
    # a case
    (
        c.CaseOpened,
        (
            "opened {subject} by {by} [number {number}] [person {person}] [venue {venue}] "
            "[table {table}] [claim {claim}] [amount {amount}] [unit {unit}] "
            "[occurred {occurred}] [{before_next_deal:before-next-deal/after-next-deal}]"
        ),
    ),
    (
        c.CaseLinked,
        (
            "linked {hand} [from {first}] [to {last}] [ledger {ledger}] [at {position}] [root {root}] "
            "[venue {venue}] [tournament {tournament}] [table {table}] [number {number}] [started {started}]"
        ),
    ),
    (c.StatementTaken, "statement by {by} [person {person}] [words {words}] [seat {seat}]"),
    (
        c.EvidenceAttached,
        (
            "evidence {kind} [digest {digest}] [label {label}] [camera {camera}] "
            "[starts {starts}] [ends {ends}] [expires {expires}]"
        ),
    ),
    (c.HoldPlaced, "hold {what} {target} [until {until}]"),
    (c.HoldLifted, "hold-lifted {what} {target}"),
    (c.FindingCited, "cited {fingerprint} {clause} {book} [edition {edition}] [hand {hand}]"),
    (c.CaseAssigned, "assigned {person} as {role}"),
    (c.DeadlineSet, "due {due} [{what}]"),
    (c.RegulatorNotified, "regulator {authority} [reference {reference}]"),
    (c.RulingMade, "ruling by {by} [person {person}] [decision {decision}] [clause {clause}] [book {book}]"),
    (c.PaymentOrdered, "payment {amount} {unit} [player {player}] [seat {seat}] [{house:house}]"),
    (c.RulingAppealed, "appealed by {by} [person {person}] [to {to}]"),
    (c.CaseClosed, "case-closed {outcome}"),
    (c.CaseReopened, "reopened [why {why}]"),
    # the house
    (h.LedgerCreated, "ledger {ledger} [incarnation {incarnation}] [software {software}] [ids {ids}]"),
    (h.IdsKeyTaken, "key-taken {ids}"),
    (
        h.SourceImported,
        (
            "imported {source} {format} {reader} length {length} read {bytes_read} "
            "blank {bytes_blank} rejected {bytes_rejected} new {new} same {same} "
            "second {second} rejects {rejected} [encoding {encoding}] [name {name}] "
            "[origin {origin}] [told {told}] [superseded {superseded}] [{kept:kept}]"
        ),
    ),
    (h.SourceRejected, "rejected {source} {start} {length} line {line} {code} [detail {detail}]"),
    (h.RejectWaived, "waived {source} {start} by {by} [person {person}] [why {why}]"),
    (h.RulebookAdopted, "adopted {book} {edition} {digest} [venue {venue}] [table {table}] [since {since}] [by {by}]"),
    (h.RulebookRetired, "retired {book} {edition} [venue {venue}] [table {table}] [until {until}]"),
    (h.SoftwareChanged, "software {component} {before} {after} [digest {digest}] [by {by}] [person {person}]"),
    (h.GameEnabled, "game-enabled {venue} {game} {enabled:enabled/withdrawn} [by {by}]"),
    (h.PeopleMerged, "merged {kept} and {merged} by {by} [why {why}]"),
    (h.PeopleParted, "parted {kept} and {parted} by {by} [why {why}]"),
    (h.PersonHeld, "held {person} for {reason} [until {until}] [{lifted:lifted}]"),
    (h.PersonErased, "erased {person} on {basis} [by {by}] [texts {texts}]"),
    (h.TextRedacted, "redacted {text} {digest}"),
    (h.SourceBlackened, "blackened {source} {digest} places {places} bytes {length}"),
    (h.StaffRegistered, "staff {person} {role} [{ended:ended}]"),
    (h.HiddenCardsViewed, "viewed {hand} {seats} by {by} [person {person}] [why {why}]"),
    (h.ExportMade, "export {kind} {hands} [audience {audience}] [digest {digest}] [person {person}] [{lossy:lossy}]"),
    (h.EvidenceIssued, "issued {target} {digest} {audience} [purpose {purpose}]"),
    (h.KeyRotated, "key {before} {after} [by-before {by_before}] [by-after {by_after}]"),
    (h.CheckpointSigned, "checkpoint {size} {root} {key}"),
    (h.BackupRestored, "restored {incarnation} {size} [root {root}]"),
    (h.ClockChecked, "clock-checked {clock} {reference} {offset}"),
    (h.IntegrityFailed, "integrity {what} [position {position}]"),
    (h.RetentionApplied, "retention {before} {sources} {hands}"),
    (h.QuerySaved, "query {name} {query}"),
    (h.DeviceEnrolled, "device {device} {digest} [may {may}] [venue {venue}] [table {table}] [{cards:sees-cards}]"),
    (h.DeviceRetired, "device-retired {device}"),
    (h.UserEnrolled, "user {user~person} {role} {digest}"),
    (h.UserRevoked, "user-revoked {user~person}"),
    (h.SignInCodeIssued, "sign-in-code {user~person} {digest} expires {expires} [by {by~person}]"),
    (h.SignInCodeUsed, "sign-in-code-used {user~person} {digest} for {use}"),
    (h.UserSignedIn, "signed-in {user~person} {digest} by {means} expires {expires} [on {device}]"),
    (h.UserSignedOut, "signed-out {user~person} {digest}"),
    (
        h.ApprovalAsked,
        (
            "approval {request} {user~person} {act} {line} position {position} table {table} [venue {venue}] "
            "[tournament {tournament}] [seat {seat}] [on {device}]"
        ),
    ),
    (h.ApprovalAnswered, "approval-answered {request} {answer} by {floor~person}"),
    (
        h.FindingChanged,
        (
            "finding {became} {fingerprint} {clause} {book} {edition} {digest} {severity} {certainty} venue {venue} "
            "tournament {tournament} table {table} hand {hand} {version} [seat {seat}] [code {code}]"
        ),
    ),
)
