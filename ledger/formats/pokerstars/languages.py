"""PokerStars' text in Portuguese, Spanish, Russian and French: English phrases and their translations."""

# ruff: noqa: RUF001 - Cyrillic letters that look like Latin ones are what those lines hold
from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from ledger.readers.hand import SEATS as SEATS_MOST

LocalPhrases: TypeAlias = Mapping[str, tuple[str, ...]]

SEATS: Final = ("Lugar ", "Asiento ", "Место ", "Siège ", "Place ", "Seat ")
"""The beginnings of rows in the list of seats and in the summary."""
CHIPS: Final = (" em fichas", " en fichas", " фишек", " en jetons", " in chips")
"""The words after a stack."""
BOUNTY: Final = ("bounty", "Bounty de ", "recompensa de ", "баунти ", "prime de ")
"""The words before and after a bounty."""
AND: Final = (" e está ", " y ", " и ", " et ")
"""The words before the word for all-in, with their blanks."""
ALL_IN: Final = ("all-in", "all in", "олл-ин")

HEADER: Final[LocalPhrases] = {
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

LABELS: Final = (
    *("(Botão)", "(botão)", "(botón)", "(баттон)", "(bouton)"),
    *("(ciega pequeña)", "(малый блайнд)", "(petite blind)"),
    *("(ciega grande)", "(большой блайнд)", "(grosse blind)"),
)
"""Positions in brackets, in the summary."""

ACTS: Final[LocalPhrases] = {
    "folds": ("desiste", "se retira", "делает фолд", "passe", "se couche"),
    "checks": ("passa", "pasa", "делает чек", "parole"),
    "calls {amount}": ("iguala {amount}", "делает колл {amount}", "suit {amount}"),
    "bets {amount}": ("aposta {amount}", "apuesta {amount}", "делает бет {amount}", "mise {amount}"),
    "raises {by} to {amount}": (
        "aumenta {by} para {amount}",
        "sobe {by} para {amount}",
        "sube {by} a {amount}",
        "делает рейз {by} {amount}",
        "делает рейз {by} до {amount}",
        "relance {by} à {amount}",
        "relance de {by} à {amount}",
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
"""The words after a name and a colon, without the full stops that French puts after verbs."""

TITLES: Final[LocalPhrases] = {
    "HOLE CARDS": ("CARTAS DA MÃO", "CARTAS HOLE", "CARTAS DE MANO", "ЗАКРЫТЫЕ КАРТЫ", "CARTES FERMÉES"),
    "FLOP": ("ФЛОП",),
    "TURN": ("ТЕРН", "TOURNANT"),
    "RIVER": ("РИВЕР", "RIVIÈRE"),
    "SHOW DOWN": ("ВСКРЫТИЕ КАРТ", "ABATTAGE"),
    "SUMMARY": ("SUMÁRIO", "RESUMEN", "ИТОГ", "RÉSUMÉ", "SYNTHÈSE"),
}
"""The titles between the stars of a heading."""

POTS: Final[LocalPhrases] = {
    "pot": ("pote", "bote", " банк", "банк"),
    "main pot": ("principal pote", "pote principal", "bote principal", " основной банк", "основной банк"),
    "side pot": ("secundário pote", "pote secundário", "bote secundario", " побочный банк", "побочный банк"),
    **{f"side pot-{count}": (f"secundário pote-{count}", f"bote secundario-{count}") for count in range(1, SEATS_MOST)},
}

LINES: Final[LocalPhrases] = {
    "Dealt to {name_and_cards}": (
        *("Repartidas a {name_and_cards}", "Repartido a {name_and_cards}", "Карты {name_and_cards}"),
        *("Distribuées à {name_and_cards}", "Distribuées {name_and_cards}"),
    ),
    "Uncalled bet ({amount}) returned to {name}": (
        "Aposta não-igualada ({amount}) voltou para {name}",
        "La apuesta no igualada ({amount}) ha sido devuelta a {name}",
        "Неуравненная ставка ({amount}) возвращается игроку {name}",
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
    "{name} collected {amount} from {pot}": (
        "{name} recebeu {amount} do {pot}",
        "{name} se lleva {amount} del {pot}",
        "{name} получил {amount} ({pot})",
    ),
    "{name} finished the tournament in {rank} place{_}": (
        "{name} terminou o torneio em {rank}º lugar",
        "{name} acabou o torneio em {rank}º lugar",
        "{name} terminó el torneo en {rank}.º lugar",
    ),
    "{name} finished the tournament in {rank} place and received {prize}": (
        "{name} Acabou o torneio em {rank}º lugar e recebeu {prize}",
        "{name} terminou o torneio em {rank}º lugar e recebeu {prize}",
    ),
    "{name} wins the tournament and receives {prize} - {_}": (
        "{name} ganhou o torneio e recebeu {prize} - parabéns!",
        "{name} gana el torneo y recibe {prize} - ¡enhorabuena!",
    ),
    "{name} wins {prize} for eliminating {eliminated}": ("{name} ganha {prize} por eliminar {eliminated}",),
}
"""Whole lines."""

TOTALS: Final = (
    "Total pote {pots} | comissão {rake}",
    "Bote total {pots} | Comisión {rake}",
    "Общий банк {pots} | Доля {rake}",
)
BOARDS: Final = ("Mesa [{board_text}", "Comunitarias [{board_text}", "Борд [{board_text}")
OWN_BOUNTY: Final = " e sua própria recompensa"

MUCKED: Final = ("escondeu as cartas [", "descartó sin mostrar [", "скрыл [")
SHOWED: Final = ("mostrou [", "muestra [", "mostró [", "открыл [", *MUCKED)
WON: Final = ("recebeu ", "recaudó ", "собрал ", "ganhou ", "ganó ", "выиграл ")
QUIET_WORDS: Final = (
    *("desistiu ", "se retiró ", "сделал фолд ", "escondeu as cartas", "descartó sin mostrar"),
    *("e perdeu com ", "y perdió con ", "и проиграл"),
)
"""Words after name and positions in the summary: before cards, before amounts, and those that add nothing."""
