"""PokerStars' text in Portuguese, Spanish, Russian and French: what a line is in English, and how it is written there.

A field stands in braces in both; `{who}` is a player's name.
"""

# ruff: noqa: RUF001 - Cyrillic letters that look like Latin ones are what those lines hold
from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

Rows: TypeAlias = Mapping[str, tuple[str, ...]]

LOCAL_HEADS: Final = (
    *("Mão ", "PokerStars Mão #", "Mano n", "Раздача "),
    *("Main PokerStars ", "Main Zoom PokerStars ", "PokerStars Partie #"),
)
"""How a hand's first line begins."""
SEATS: Final = ("Lugar ", "Asiento ", "Место ", "Siège ", "Place ", "Seat ")
"""How lines of the seat list and of the summary begin."""
CHIPS: Final = (" em fichas", " en fichas", " фишек", " en jetons", " in chips")
"""What stands behind a stack."""
BOUNTY: Final = ("Bounty de ", "recompensa de ", "баунти ", "prime de ")
"""What stands between a stack and its bounty."""
AND: Final = (" e está ", " y ", " и ", " et ")
"""What stands before the word for all-in, with its blanks."""
ALL_IN: Final = ("all-in", "all in", "олл-ин")

HEADER: Final[Rows] = {
    "Tournament #": (
        "Torneio #",
        "Torneio n.º ",
        "Torneo n.º ",
        "Torneo #",
        "Турнир №",
        "Турнир #",
        "Tournoi n°",
        "Tournoi #",
    ),
    "Level ": ("Nível ", "Nivel ", "Уровень ", "Niveau "),
    "Hold'em": ("Холдем",),
    "Omaha": ("Омаха",),
    "No Limit": ("Безлимитный", "Безлимитная"),
    "Pot Limit": ("Пот-лимитный", "Пот-лимитная", "Пот-лимит"),
    "Limit": ("Лимитный", "Лимитная"),
    " ET]": (" ВВ]",),
}
"""Phrases of the first line."""

LABELS: Final[Rows] = {
    "(button)": ("(Botão)", "(botão)", "(botón)", "(баттон)", "(bouton)"),
    "(small blind)": ("(ciega pequeña)", "(малый блайнд)", "(petite blind)"),
    "(big blind)": ("(ciega grande)", "(большой блайнд)", "(grosse blind)"),
}
"""Positions in brackets, in the summary."""

ACTS: Final[Rows] = {
    "folds": ("desiste", "se retira", "делает фолд", "passe", "se couche"),
    "checks": ("passa", "pasa", "делает чек", "parole"),
    "calls {amount}": ("iguala {amount}", "делает колл {amount}", "suit {amount}"),
    "bets {amount}": ("aposta {amount}", "apuesta {amount}", "делает бет {amount}", "mise {amount}"),
    "raises {by} to {to}": (
        "aumenta {by} para {to}",
        "sobe {by} para {to}",
        "sube {by} a {to}",
        "делает рейз {by} {to}",
        "делает рейз {by} до {to}",
        "relance {by} à {to}",
        "relance de {by} à {to}",
    ),
    "posts small blind {amount}": (
        "paga o small blind {amount}",
        "é small blind {amount}",
        "pone la ciega pequeña {amount}",
        "ставит малый блайнд {amount}",
        "met la petite blind {amount}",
    ),
    "posts big blind {amount}": (
        "paga o big blind {amount}",
        "é big blind {amount}",
        "pone la ciega grande {amount}",
        "ставит большой блайнд {amount}",
        "met la grosse blind {amount}",
    ),
    "posts small & big blinds {amount}": (
        "paga o small & big blinds {amount}",
        "é small & big blinds {amount}",
        "pone las ciegas pequeña y grande {amount}",
        "ставит малый и большой блайнды {amount}",
    ),
    "posts the ante {amount}": (
        "coloca ante {amount}",
        "paga o ante {amount}",
        "pone el ante {amount}",
        "pone ante {amount}",
        "ставит анте {amount}",
        "met l'ante {amount}",
    ),
    "shows [{cards}] ({claim})": (
        "mostra [{cards}] ({claim})",
        "muestra [{cards}] ({claim})",
        "открывает [{cards}] ({claim})",
        "montre [{cards}] ({claim})",
    ),
    "shows [{cards}]": ("mostra [{cards}]", "muestra [{cards}]", "открывает [{cards}]", "montre [{cards}]"),
    "doesn't show hand": ("não mostra a mão", "no muestra su mano", "не показывает руку"),
    "mucks hand": ("esconde a mão", "descarta su mano sin mostrar", "скрывает руку", "сбрасывает карты"),
    "sits out": ("está sit out",),
}
"""What follows a name and a colon; full stops, which French has behind a verb, left out."""

LINES: Final[Rows] = {
    "*** HOLE CARDS ***": (
        "*** CARTAS DA MÃO ***",
        "*** CARTAS HOLE ***",
        "*** CARTAS DE MANO ***",
        "*** ЗАКРЫТЫЕ КАРТЫ ***",
        "*** CARTES FERMÉES ***",
    ),
    "*** SUMMARY ***": ("*** SUMÁRIO ***", "*** RESUMEN ***", "*** ИТОГ ***", "*** RÉSUMÉ ***", "*** SYNTHÈSE ***"),
    "Board [{cards}]": ("Mesa [{cards}]", "Comunitarias [{cards}]", "Борд [{cards}]"),
    "Uncalled bet ({amount}) returned to {who}": (
        "Aposta não-igualada ({amount}) voltou para {who}",
        "La apuesta no igualada ({amount}) ha sido devuelta a {who}",
        "Неуравненная ставка ({amount}) возвращается игроку {who}",
    ),
    "{who} joins the table at seat #{seat}": (
        "{who} junta-se à mesa no lugar #{seat}",
        "{who} se une a la mesa en el asiento n.º {seat}",
        "{who} садится за стол на место №{seat}",
    ),
    "{who} leaves the table": ("{who} abandona a mesa", "{who} abandona la mesa", "{who} покидает стол"),
    "{who}: sits out": ("{who} está sit out",),
    "{who} is disconnected": ("{who} está sem ligação", "{who} no tiene conexión"),
    "{who} is connected": ("{who} está ligado", "{who} tiene conexión"),
    "{who} has timed out while disconnected": (
        "{who} gastou o tempo enquanto estava sem ligação",
        "{who} ha agotado su tiempo mientras siga sin conexión",
    ),
    "{who} has timed out": ("{who} gastou o tempo", "{who} ha agotado su tiempo", "время на ход игрока {who} истекло"),
    "{who} has returned": ("{who} voltou", "{who} ha vuelto"),
    "{who} will be allowed to play after the button": ("{who} poderá jogar depois do botão",),
    "Total pot {pots} | Rake {rake}": (
        "Total pote {pots} | comissão {rake}",
        "Bote total {pots} | Comisión {rake}",
        "Общий банк {pots} | Доля {rake}",
    ),
    "Dealt to {who} [{cards}]": (
        "Repartidas a {who} [{cards}]",
        "Repartido a {who} [{cards}]",
        "Карты {who} [{cards}]",
        "Distribuées à {who} [{cards}]",
        "Distribuées {who} [{cards}]",
    ),
    "*** FLOP *** [{cards}]": ("*** ФЛОП *** [{cards}]",),
    "*** TURN *** [{cards}]": ("*** ТЕРН *** [{cards}]", "*** TOURNANT *** [{cards}]"),
    "*** RIVER *** [{cards}]": ("*** РИВЕР *** [{cards}]", "*** RIVIÈRE *** [{cards}]"),
    "*** SHOW DOWN ***": ("*** ВСКРЫТИЕ КАРТ ***", "*** ABATTAGE ***"),
}
"""Whole lines."""

TAILS: Final[Rows] = {
    " [{cards}]": ("recebe [{cards}]",),
    "collected {amount} from pot": (
        "recebeu {amount} do pote",
        "se lleva {amount} del bote",
        "получил {amount} ( банк)",
        "получил {amount} (банк)",
    ),
    "collected {amount} from main pot": (
        "recebeu {amount} do principal pote",
        "recebeu {amount} do pote principal",
        "se lleva {amount} del bote principal",
        "получил {amount} ( основной банк)",
        "получил {amount} (основной банк)",
    ),
    "collected {amount} from side pot": (
        "recebeu {amount} do secundário pote",
        "recebeu {amount} do pote secundário",
        "se lleva {amount} del bote secundario",
        "получил {amount} ( побочный банк)",
        "получил {amount} (побочный банк)",
    ),
    "collected {amount} from side pot-{number}": (
        "recebeu {amount} do secundário pote-{number}",
        "se lleva {amount} del bote secundario-{number}",
    ),
    "finished the tournament in {rank}th place": (
        "terminou o torneio em {rank}º lugar",
        "acabou o torneio em {rank}º lugar",
        "terminó el torneo en {rank}.º lugar",
    ),
    "finished the tournament in {rank}th place and received {prize}": (
        "Acabou o torneio em {rank}º lugar e recebeu {prize}",
        "terminou o torneio em {rank}º lugar e recebeu {prize}",
    ),
    "wins the tournament and receives {prize} - congratulations!": (
        "ganhou o torneio e recebeu {prize} - parabéns!",
        "gana el torneo y recibe {prize} - ¡enhorabuena!",
    ),
    "wins {prize} for eliminating {over} and their own bounty increases by {own}": (
        "ganha {prize} por eliminar {over} e sua própria recompensa aumenta para {own}",
    ),
    "wins {prize} for eliminating {over}": ("ganha {prize} por eliminar {over}",),
}
"""What follows a name."""

RESULTS: Final[Rows] = {
    "folded before Flop (didn't bet)": (
        "desistiu antes Flop (não apostou)",
        "se retiró antes del Flop (no apostó)",
        "сделал фолд до Флоп (не ставил)",
    ),
    "folded before Flop": ("desistiu antes Flop", "se retiró antes del Flop", "сделал фолд до Флоп"),
    "folded on the Flop": ("desistiu no Flop", "se retiró en el Flop", "сделал фолд на Флоп"),
    "folded on the Turn": ("desistiu no Turn", "se retiró en el Turn", "сделал фолд на Терн"),
    "folded on the River": ("desistiu no River", "se retiró en el River", "сделал фолд на Ривер"),
    "collected ({amount})": ("recebeu ({amount})", "recaudó ({amount})", "собрал ({amount})"),
    "mucked [{cards}]": ("escondeu as cartas [{cards}]", "descartó sin mostrar [{cards}]", "скрыл [{cards}]"),
    "mucked": ("escondeu as cartas", "descartó sin mostrar"),
    "showed [{cards}] and won ({amount}) with {claim}": (
        "mostrou [{cards}] e ganhou ({amount}) com {claim}",
        "muestra [{cards}] y ganó ({amount}) con {claim}",
        "mostró [{cards}] y ganó ({amount}) con {claim}",
        "открыл [{cards}] и выиграл ({amount}) , собрав {claim}",
        "открыл [{cards}] и выиграл ({amount}), собрав {claim}",
    ),
    "showed [{cards}] and won ({amount})": ("mostrou [{cards}] e ganhou ({amount})",),
    "showed [{cards}] and lost with {claim}": (
        "mostrou [{cards}] e perdeu com {claim}",
        "muestra [{cards}] y perdió con {claim}",
        "mostró [{cards}] y perdió con {claim}",
        "открыл [{cards}] и проиграл , собрав {claim}",
        "открыл [{cards}] и проиграл, собрав {claim}",
    ),
}
"""What follows name and positions in the summary."""
