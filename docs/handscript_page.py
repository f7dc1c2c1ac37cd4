"""The page of our notation: by example, then the line of every event, made from the templates."""

from __future__ import annotations

import inspect

from ledger.event import topic
from ledger.events import EVENT_TYPES
from ledger.formats.handscript import CASE, PROFILES
from ledger.formats.handscript.phrasebook import BOOK
from ledger.hand.options import OPTIONS, Option
from ledger.hand.variants import VARIANTS
from ledger.readers.games import UNRULED
from ledger.vocabulary import list_witness_names

INTRO = r'''# handscript

Our own notation: one line for each event. Anyone at the table can write it, and the floor manager can read it. Every event
of hands, tables, cases and the house has a line. If the program writes events as lines, reading them gives back exactly the same
events. Our tests and sample evenings use it.

```
handscript 1
venue "Riverside Cardroom"  table T7  seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2   # amounts below are dollars: 5, 12.50
book hilton

hand 412  2026-11-20T22:41:07-05:00
seat 1 Ana 612
seat 2 "Bo Lee" 480
seat 6 Eli 300
button 2
6 posts small 2
1 posts big 5
deal done
2 raises to 15            at 22:41:30.5
6 folds
1 calls 10
burn flop
flop 7h 2c Kd
1 checks
2 bets 25
1 folds
2 uncalled 25             derived
2 wins 31 from main
rake 1
end

6 leaves Eli left stack 298
```

## The file

| line | what it does |
|---|---|
| `handscript 1` | begins a file. A file may have several such parts, each with its own header |
| `venue V` `table T` `seats N` `tournament X` `club C` | apply to every hand below, until the next such line; one line may have several |
| `witness live-table times`, `witness all except burns shuffles` | what your notes always record: profiles (below) and single kinds, without those after `except`. You may write `records` in place of `witness` |
| `unit USD 2` | the unit of amounts; 2 = with cents. A `game` line may have it too |
| `book hilton` | the rules that the table plays by; a note for people, not an event |
| `game ...`, `option ...`, `level ...` above the first hand | apply to every hand below, unless a hand has its own |
| `stakes blinds 10/20 bets 20/40`, `game-changed omaha8 limit` between hands | change the `game` line above the first hand for the hands below |
| `hand 412 2026-11-20T22:41:07-05:00` | begins a hand; everything below belongs to it |
| `end` | the hand is over. With `stop` the record stops, and whether the hand is over is open |
| a fact between hands | goes to the table. `between-hands` ... `end` does the same for several, of any kind |
| `case IN2026-1` ... `end`, `house` ... `end` | facts of a case, or of the house; `import` skips them |
| `2 posts small 1; 3 posts big 2; deal done` | several facts on one line; a comment belongs to the last |
| `4, 5 and 6 fold`, `1 2 check` | the same act of several seats, in the order you write them |
| `stacks 1:200 2:200`, `button 1 stacks 1:200 2:200` | seats in short: the players that earlier lines put there. An unnamed player is Player 1, Player 2 |

**Without a `witness` line**, the program judges the lines that you wrote: a posted 20 at 5/10, a button twice in one seat. A missing
line proves nothing: a blind, a burn or a player's absence that nobody noted. `import` says so. Write the line that is true of your notes:
`witness floor-form` (button, blinds, who is away) or `witness dealer-notes` (button, blinds, acts, payouts). Write `live-table`
only if every burn is noted: each missing one is a finding.

**A list of your own** that names play (`posts`, `acts`, `board`, `showdown` or `awards`) and no `button` keeps that rule: a button
that you write is a fact, a hand without one proves nothing. The full name of that is `written-button`. If a button was worked out and
not seen, write `except button`, as in `witness posts acts except button`, or mark the line: `button 3 derived`. No finding
then rests on it. With `written-button` in the list, a `derived` button is a fact, too.

A line that can't be read rejects its hand; the other hands are read. One import lists everything that is wrong with a file.
For each line it gives the place, what was expected and the form of such a line. If there is a right line near it, it gives that, too.
Correct the file and import it again. A header line that can't be read rejects everything below it, up to the next
`handscript`. So does a line above the first hand that is neither header nor fact.

```
night.hand:9  bytes 312-640  rejected (line)
    line 17: column 10: the word 'to' is missing before 40
        write  5 raises to 40
        form   SEAT raises to TOTAL [adding AMOUNT] [all-in|not-all-in]
        Or, if it was raised by so much: 5 raises to 45
```

## The words of a line

- **Names** are plain words (letters and digits of ASCII, `_ . ' + * / -`) or quoted. After `sits`, `leaves`, `moved`, `host`,
  `dealer`, `eliminated` and `identified`, quote a name that is a number or a word such as `out`. Within quotes, `\"`, `\\`
  and `\u{202e}` are a quote, a backslash and a character by its number, for characters you can't see. A player of
  another room is `Ana@Lakeside`; one whose name the ledger no longer holds is `@` and the id. Quote any other name with an `@`:
  `table "T@7"`.
- **Amounts** are decimals of the unit, exact: `5`, `12.50`. More decimals than the unit has are an error.
- **Cards**: `Ah Kd` or `AhKd`; `??` is a card nobody saw, `Jk` a joker, `""` no card.
- **Seats** are numbers. `?` is a seat that the record doesn't give; `button none` is a hand without a button.
- **Several values** in one: `2/5` for amounts, `1,3,6` for seats and numbers, `-` for none.
- **Times** are ISO with `Z` or an offset; at the end of a line `at 22:41:30.5` is the moment nearest to the one before it,
  on the clock of the hand's own line.
- If your notes don't show returned bets (`dealer-notes`, `floor-form`), you may leave out `uncalled`. If the winner is paid exactly what the others
  put in, the uncalled bet went back. The profile `live-table` always records it; there the chips would be missing.
- `derived` at the end of a line: the writer inferred it, and the source doesn't have it.
- `# ...` is a comment for readers of the file, not an event; `remark "..."` is one.
- Leave out amounts that follow from the lines before: a call adds the amount owed, a raise's chips follow from its total. Write an
  amount that doesn't follow: `3 raises to 15 adding 12`. Parts in brackets come in any order.

## Written in a hurry

You needn't know the notation by heart at the table. If no form below fits a line, the program reads it again and takes it
if it can mean only one thing. The ledger always writes back the notation's own line.

| written | understood as |
|---|---|
| `Seat 3: Joe ($400)`, `seat 3 Joe $400`, `seat 3 Joe with 400 chips` | `seat 3 Joe 400` |
| `seat 8 Old Tom 310` | `seat 8 "Old Tom" 310`: a name may have blanks if the line shows its end |
| `venue Riverside Cardroom  table T5`, `Room: Riverside Cardroom` | `venue "Riverside Cardroom"` |
| `$1,200.50`, `1,200` | `1200.50`, `1200`; a sign of another currency than the table's is an error |
| `Button: 8`, `button seat 8`, `button 8 seat`, `dealer Joe` | `button 8` |
| `1 posts sb 2`, `Joe posts the big blind $5` | `1 posts small 2`, `3 posts big 5` |
| `joe folds`, `Joe: folds`, `seat 3 folded`, `3 fold` | `3 folds`: a name for the seat, if one player of the hand has it |
| `5 raise to 40`, `5 makes it 40`, `5 raises from 5 to 40` | `5 raises to 40` |
| `4 owes the small and big blind`, `5 is away since hand 28` | `4 owes small big`, `5 away-since 28` |
| `5 raises to 220 and is all in` | `5 raises to 220 all-in` |
| `flop: Ah 7c 2d`, `Flop [ah 7c 2d]`, `flop A♥, 7♣, 2♦`, `turn 10h` | `flop Ah 7c 2d`, `turn Th` |
| `noticed double burn`, `4 sits Kim walk in stack 400` | `noticed double-burn`, `4 sits Kim walk-in stack 400` |
| `5 posts the missed big blind 5`, `5 makes up the small blind 2` | `5 posts makeup-big 5`, `5 posts makeup-small 2` |
| `burn` | `burn flop`, or whichever street comes next |
| `deal`, `cards dealt`; `end hand`, `hand over`; `Hand 12:` | `deal done`; `end`; `hand 12` |
| `remark he said he had called` | `remark "he said he had called"` |
| `2 sits out`, `Bo takes a break`; `2 is back`, `2 sits back down` | `2 away`; `2 back` |
| `4 rebuys 300`, `2 tops up 200`, `4 buys in for 300`, `4 adds on 100` | `4 adds 300 rebuy`, `2 adds 200 top-up`, `4 adds 300 buy-in`, `4 adds 100 add-on` |
| `2 leaves`, `2 cashes out 480`, between hands `2 stands up` | `2 leaves Bo`, `2 leaves Bo stack 480`, if an earlier line says who sits there |
| `Kim takes seat 5 with 300`, `5 sits Old Tom for 300` | `5 sits Kim stack 300`, `5 sits "Old Tom" stack 300` |
| `3 4 killed lost`, `2,3,4 check`, `Bo and Cy sit out`, `all check`, `folds to 4` | a line for each seat |
| `2 and 3 win 20 each` | `2 wins 20`, `3 wins 20` |
| `4 gets Ah for Ks`, `4 replaced Ks by Ah` | `4 swaps Ks for Ah` |
| `flop taken back`, `turn Jh withdrawn`; `new flop Qd Js 4c` | `withdrawn flop Kd 7s 2c`, `withdrawn turn Jh`; `flop Qd Js 4c` |
| `burn and turn 8h`, `burn 2 cards`, `shuffle and cut` | `burn turn` and `turn 8h`, `burn turn` twice, `shuffle` and `cut` |
| `dealer calls misdeal`, `misdeal, two cards exposed` | `misdeal by dealer`, `misdeal exposed-card` |
| `4 has 3 cards`, `extra card seat 4`, `4 joker`, `dealer exposes Ks seat 4` | `4 holds 3`, `4 gets-extra`, `joker seat 4`, `exposed Ks seat 4 by dealer` |
| `2 plays the board`, `4 announces raise to 40`, `1 calls seat 4` | `2 plays-board`, `4 says raise 40`, `1 calls` if that's the bet |

A count or a name isn't an amount: `1 calls with 3 cards`, `1 calls with a 25 chip` and `2 bets 2 chips` get an
answer. After `sits` and `leaves` a plain word such as `out` or `busted` isn't a name; quotes make it one: `2 sits "out"`.
No answer adds a player, chips or a card that its line doesn't name.

The program doesn't guess between two meanings: it answers with the line to write. Examples: `5 raises 40` (to 40, or by 40),
`5 all-in`, `3 puts in 40`, `2 3 win 30`, `folds` without a seat, `1 posts 2`, `hand 12 3:02am` without a date.

## A night as people jot it down

A file that the notation refuses is read a second time, as notes. Nobody needs the manual for that:

```
handscript 1
Room: Desert Palms   Table 12   9 seats
2/5 NLH, 2026-11-24
1 Joe 500 / 2 Pat 640 / 3 Vic 200 / 5 Ng 1150

#1 btn 1
5 r 20, 1 f, 2 f, 3 c
f Ah 9d 4c   3 x, 5 b 40, 3 f
5 wins
Vic rebuys 300
```

`handledger new friday.hand --table T7 --game "limit 10/20"` writes a file to fill in. `handledger read friday.hand` shows each line
with its events. The program fills in what follows from the game, and marks it as derived: blinds, limit bets, all-in amounts,
uncalled bets, the pot, the winner by the cards shown, and seats and stacks from the hand before.

- **No finding rests on derived values alone.** A finding that also needs one is likely at most, and names it.
- **The program asks about anything that the game doesn't decide**, one question for each missing thing, with the line to write. Such a hand waits; the
  others are stored. Write the answer into the file and import it again, or answer on the terminal (below).
- `raises 40` may be *to* 40 or *by* 40. The calls, the pot and the winner's chips decide. If they don't, the program asks. `r 40` is *to* 40.
- If the notes leave out folds in a hand, a player they don't name again has folded. If they name some folds, the program asks.
- If the pot is 10 and 5 of it came from Cy, `Cy wins 5` is his net win. A remark says so.
- A stack or bet such as `~400` is unknown. The program asks for the bet.
- A line about the table that can't be read holds back the hands below it: it may change who plays.
- Files with a `witness` line are never read as notes, except `witness floor-form` and `witness dealer-notes`. If your record notes
  every burn, keep to the notation: nothing may be filled in.

### Questions on the terminal

`handledger import friday.hand` on a terminal asks one question after another. Type the line that is missing. Enter skips the hand,
`u` takes your last line back, and `q` stops asking. If it can't read a line, it asks again, with the reason. Then it shows the hand, and
you choose whether to store it. A hand that you skip keeps none of its answers. `--no-input` asks nothing, and neither does `--format json`.

Your file stays as it is. The ledger keeps its bytes, and your answers after them, each with its place:

```
answers 1 to 388 bytes, sha256 5b2f…
instead of line 16, characters 12-34: 4 bets 35
before line 29: 3 calls
```

Evidence of such a hand has its answers in `view/answers.txt`, and `export --to original` names them.
Each event points at the bytes of the file or of an answer; `show` says `answer` instead of a line. Import the file again,
and its answers are there. Correct the file, and the answers still apply to each hand with unchanged lines.

### A file without the line `handscript 1`

`import` takes such a file for notes if at least half of its lines are play and it can read a hand. It prints that it did.
Any other text without that line is refused. `handledger import --format handscript FILE` reads it all the same.

## Without a header

A hand needs no header, but each hand begins with a line such as `hand 1`. Without header lines the table and the game are unknown, and
only your lines can be judged.

On a page of tests (`tests/cases`) you may leave out the `hand` line too, and these lines apply:

```
@CASE@```

## The order of hands

The program judges and lists a table's hands in the table's own order, no matter which came into the ledger first.
These decide it, the strongest first:

1. **Time.** Hands with a start time (`hand 412 2026-11-20T22:41:07-05:00`) are ordered by it. Hands of sources whose
   clock has no zone are ordered by that clock among themselves.
2. **The file.** Hands without a time, and hands of the same moment, keep the order of their file: `P0` before `1`,
   `before-1` before `1`, `3` before `2` if the file has them so. A hand without a time comes directly after the
   one before it in the file. That holds for hands already in the ledger, too: `order after P0 before 1` in the table's
   stream records it, and you may write it by hand.
3. **The number.** If neither file says more, the lower number comes first, as people count (9 before 10). Both numbers
   must begin with a digit or with the same word: `1`, `2`, `2b`, `10` are one series, `P0`, `P1` another.
4. **A guess.** Otherwise a hand comes directly after the hand it is known to follow. If it follows none, hands imported on
   an earlier day come first, then the lower number. `import` and `due` say that this order is a guess. Hands may be
   missing there, unless the stacks continue from one hand to the next.

The stronger rule wins. A fact between hands comes after the last hand that had begun by its time. Without a time, it comes
after the fact or hand before it in its file; facts at the start of a file come before its first hand.
A hand with a time to the second began at some point in that second. Facts of that second that precede it in its own source come before it.
The order is the same in whatever sequence you import the files.

A chain of hands breaks where hands are missing (gaps in the numbers, `missing`) and where stacks or players don't continue.
It also breaks where the button jumps over a player of both hands, and where the order is a guess. `import` reports breaks at
tables that got only a few new hands, `due` at every table.

**Two evenings with the same hand numbers.** Give every evening its dates: `hand 1 2026-11-21T20:15`. Without dates, `import` compares
all hands of a file with those on record. If button, players or blinds differ on most of them, the file is another evening.
If they differ on one, its hands are other accounts of those on record. `import` reports this, because it may be wrong.

## A record that begins in the middle of a game

If you begin with hand 31, you can write above that hand what each player owes. Anything else is unknown, and no certain
finding rests on it. Write the same lines after a gap in the record: below `missing after 34`, above the next hand.

```
1 established             # has played here before, and owes nothing
4 owes small big          # these blinds, since before this record; `4 owes`: unknown blinds
5 away-since 28           # got no cards since hand 28, and is still away
6 sits "Gus Lowe" walk-in # new: has not been dealt in yet
7 marker missed-blind     # the marker at that seat

hand 31
...
```

- A player dealt in on the first hand without such a line counts as in the game, with nothing known against the player.
- You can name a player who isn't in the first hand: `5 away-since 28 player "Eva Ray"`. `due` and `audit` then know who sits there.
- `away-since` a hand before the first of the record leaves open which blinds went past, unless an `owes` or `established` line names them.
  Away since the first hand itself, the player has missed what that hand shows, and nothing before it.
- These lines are about hands before the record. They don't undo what the record shows, such as a missed blind or a post.
- `sits` is for a player who is new at the table when the record begins; for a player who sat there already, write `established` or `owes`.

## The money around a table

Write these lines between hands. They change neither stacks nor what is owed.

| line | what it records |
|---|---|
| `drop-box 412`, `drop-box 412 shift swing` | the drop box was opened, and its count. The next hand drops into an empty box |
| `jackpot-box 95`, `promotion-box 40` | the same for the boxes of the funds |
| `fill 500`, `credit 300`, `tray 10000` | chips from the cage to the tray, chips back to the cage, a count of the tray |
| `jackpot-paid Bo 500 hand 1041`, `promotion-paid Bo 50` | what a fund paid a player, and for which hand |
| `entry Ana 100+10 gets 10000` | a tournament's entry: price, fee and chips. `re-entry`, `rebuy` and `add-on` are written the same way |
| `prize-pool 1000`, `prize 1 Ana 500` | the pool as it was announced, and a prize: the place, who got it, and how much |

`drop box holds 412 for the swing shift`, `fill of $500` and `jackpot paid Bo 500` are read, too. Boxes, fills, credits and the tray
are in the table's unit: a file of counts alone needs its line `unit USD 2`. Prices and prizes have at most two decimals. The last four belong to a tournament: name it in the header,
as in `tournament 88`.

In notes, boxes, fills, credits, the tray and `dealer Maria` are read between hands as well. The program asks about a payout.

The record names the person who wrote the line as the one who counted. Don't write a wrong count a second time. Correct it,
with your role and the reason:
`handledger correct T7@31 "drop-box 421" --by floor --why "miscounted"`.

`2 adds 300 rebuy by dealer` takes the chips from the tray, `by floor` or `by house` from the cage. Without `by`, the shift report
assumes that chips which a player adds come from the tray, and that first and last stacks are the cage's. If a fund paid in chips,
write `2 adds 500 prize`, too.

## In a program

```python
from handledger import read_hand, read_items, write_item, write_lines

account, comments = read_hand(text, people)   # one hand without header; comments: index of the event -> text after the #
items = read_items(text, people)      # a whole file: hands, table facts, cases, house
lines = write_lines(account.events, people)          # one line for each event, names resolved
text = write_item(account, people)            # with times and what was inferred; FORMAT.write(events, people) has none
```
'''


GAMES_INTRO = """
## Games

The word after `game`. Any other word is refused, since none of its hands could be judged; quote a game that isn't listed. The program
stores %s as written and doesn't replay them.

| game | its name |
|---|---|"""


OPTIONS_INTRO = """
## Options of a house

`option NAME VALUE` above the first hand applies to all hands below, in a hand to that hand. A name or value that isn't listed is
refused. An option that the record leaves out is off only if the witness line has `house-options`.

| option | its value | meaning |
|---|---|---|"""


def _describe_option(option: Option) -> str:
    if option.value_kind == "word":
        return "; ".join(f"`{word}`: {meanings}" for word, meanings in option.words.items())
    return option.allowed


def page() -> str:
    """Return the page."""
    parts = [INTRO.replace("@CASE@", CASE), "## Profiles of witnesses\n\n| profile | kinds |\n|---|---|"]
    for name, witnesses in PROFILES.items():
        kinds = "all" if name == "everything" else ", ".join(list_witness_names(witnesses))
        parts.append(f"| `{name}` | {kinds} |")
    parts.append(GAMES_INTRO % ", ".join(f"`{name}`" for name in UNRULED.values()))
    parts += [f"| `{name}` | {item.title} |" for name, item in VARIANTS.items()]
    parts.append(OPTIONS_INTRO)
    parts += [f"| `{name}` | {_describe_option(item)} | {item.meaning} |" for name, item in OPTIONS.items()]
    parts.append("\n## Every line\n\nWords in capitals are values; [brackets] are optional. Closed lists of words are in "
                 "[vocabulary.md](vocabulary.md).")
    stream = ""
    for kind in EVENT_TYPES:
        if kind.STREAM != stream:
            stream = kind.STREAM
            parts.append(f"\n### {stream}\n\n| line | event | |\n|---|---|---|")
        if kind not in BOOK.wordings:
            raise ValueError(f"{kind.__name__} has no line yet: write one in ledger/formats/handscript/templates.py")
        lines = "<br>".join(dict.fromkeys(f"`{phrase.usage()}`" for phrase in BOOK.wordings[kind])).replace("|", "\\|")
        meaning = (inspect.getdoc(kind) or "").split("\n", 1)[0].replace("|", "\\|")
        parts.append(f"| {lines} | {topic(kind)} | {meaning} |")
    return "\n".join(parts) + "\n"
