"""PokerStars' text in other languages than English: what its lines say, and what the same line is in English.

A row is a pair of a local line and the English one; `{}` stands for what differs from line to line.
"""

# ruff: noqa: RUF001 - Cyrillic letters that look like Latin ones are what those lines hold
from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

Rows: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language."""

    seats: tuple[str, ...]  # how lines of the seat list and of the summary begin
    chips: str  # stands for " in chips"
    bounty: str  # stands between a stack and its bounty
    all_in: str  # the word before `all-in`, with its blanks
    header: Rows  # phrases of the first line
    acts: Rows  # what follows a name and a colon
    lines: Rows  # whole lines
    tails: Rows  # what follows a name
    labels: Rows  # positions in brackets, in the summary
    results: Rows  # what follows name and positions in the summary


_TOURNAMENT: Final = (
    ("Torneio #", "Tournament #"),
    ("Torneio n.º ", "Tournament #"),
    ("Torneo n.º ", "Tournament #"),
    ("Torneo #", "Tournament #"),
    ("Турнир №", "Tournament #"),
    ("Турнир #", "Tournament #"),
    ("Tournoi n°", "Tournament #"),
    ("Tournoi #", "Tournament #"),
    ("Nível ", "Level "),
    ("Nivel ", "Level "),
    ("Уровень ", "Level "),
    ("Niveau ", "Level "),
)


def _folds(before: str, on: str, nothing: str, streets: tuple[str, str, str]) -> Rows:
    """Return how the summary says that somebody folded, on each street."""
    named = zip(streets, ("Flop", "Turn", "River"), strict=True)
    return (
        (f"{before} {nothing}", "folded before Flop (didn't bet)"),
        (before, "folded before Flop"),
        *((on + local, f"folded on the {english}") for local, english in named),
    )


PORTUGUESE: Final = Language(
    seats=("Lugar ",),
    chips=" em fichas",
    bounty="Bounty de ",
    all_in=" e está ",
    header=_TOURNAMENT,
    acts=(
        ("desiste", "folds"),
        ("passa", "checks"),
        ("iguala {}", "calls {}"),
        ("aposta {}", "bets {}"),
        ("aumenta {} para {}", "raises {} to {}"),
        ("sobe {} para {}", "raises {} to {}"),
        ("paga o small blind {}", "posts small blind {}"),
        ("paga o big blind {}", "posts big blind {}"),
        ("é small blind {}", "posts small blind {}"),
        ("é big blind {}", "posts big blind {}"),
        ("paga o small & big blinds {}", "posts small & big blinds {}"),
        ("é small & big blinds {}", "posts small & big blinds {}"),
        ("coloca ante {}", "posts the ante {}"),
        ("paga o ante {}", "posts the ante {}"),
        ("mostra [{}] ({})", "shows [{}] ({})"),
        ("mostra [{}]", "shows [{}]"),
        ("não mostra a mão", "doesn't show hand"),
        ("esconde a mão", "mucks hand"),
        ("está sit out", "sits out"),
    ),
    lines=(
        ("*** CARTAS DA MÃO ***", "*** HOLE CARDS ***"),
        ("*** CARTAS HOLE ***", "*** HOLE CARDS ***"),
        ("*** SUMÁRIO ***", "*** SUMMARY ***"),
        ("Mesa [{}]", "Board [{}]"),
        ("Aposta não-igualada ({}) voltou para {}", "Uncalled bet ({}) returned to {}"),
        ("{} junta-se à mesa no lugar #{}", "{} joins the table at seat #{}"),
        ("{} abandona a mesa", "{} leaves the table"),
        ("{} está sit out", "{}: sits out"),
        ("{} está sem ligação", "{} is disconnected"),
        ("{} está ligado", "{} is connected"),
        ("{} gastou o tempo enquanto estava sem ligação", "{} has timed out while disconnected"),
        ("{} gastou o tempo", "{} has timed out"),
        ("{} voltou", "{} has returned"),
        ("{} poderá jogar depois do botão", "{} will be allowed to play after the button"),
        ("Total pote {} | comissão {}", "Total pot {} | Rake {}"),
    ),
    tails=(
        ("recebe [{}]", "Dealt to {name} [{}]"),
        ("recebeu {} do pote", "collected {} from pot"),
        ("recebeu {} do principal pote", "collected {} from main pot"),
        ("recebeu {} do pote principal", "collected {} from main pot"),
        ("recebeu {} do secundário pote", "collected {} from side pot"),
        ("recebeu {} do secundário pote-{}", "collected {} from side pot-{}"),
        ("recebeu {} do pote secundário", "collected {} from side pot"),
        ("terminou o torneio em {}º lugar", "finished the tournament in {}th place"),
        ("acabou o torneio em {}º lugar", "finished the tournament in {}th place"),
        ("Acabou o torneio em {}º lugar e recebeu {}", "finished the tournament in {}th place and received {}"),
        ("terminou o torneio em {}º lugar e recebeu {}", "finished the tournament in {}th place and received {}"),
        ("ganhou o torneio e recebeu {} - parabéns!", "wins the tournament and receives {} - congratulations!"),
        (
            "ganha {} por eliminar {} e sua própria recompensa aumenta para {}",
            "wins {} for eliminating {} and their own bounty increases by {}",
        ),
        ("ganha {} por eliminar {}", "wins {} for eliminating {}"),
    ),
    labels=(("(Botão)", "(button)"), ("(botão)", "(button)")),
    results=(
        *_folds("desistiu antes Flop", "desistiu no ", "(não apostou)", ("Flop", "Turn", "River")),
        ("recebeu ({})", "collected ({})"),
        ("escondeu as cartas [{}]", "mucked [{}]"),
        ("escondeu as cartas", "mucked"),
        ("mostrou [{}] e ganhou ({}) com {}", "showed [{}] and won ({}) with {}"),
        ("mostrou [{}] e ganhou ({})", "showed [{}] and won ({})"),
        ("mostrou [{}] e perdeu com {}", "showed [{}] and lost with {}"),
    ),
)

SPANISH: Final = Language(
    seats=("Asiento ",),
    chips=" en fichas",
    bounty="recompensa de ",
    all_in=" y ",
    header=_TOURNAMENT,
    acts=(
        ("se retira", "folds"),
        ("pasa", "checks"),
        ("iguala {}", "calls {}"),
        ("apuesta {}", "bets {}"),
        ("sube {} a {}", "raises {} to {}"),
        ("pone la ciega pequeña {}", "posts small blind {}"),
        ("pone la ciega grande {}", "posts big blind {}"),
        ("pone las ciegas pequeña y grande {}", "posts small & big blinds {}"),
        ("pone el ante {}", "posts the ante {}"),
        ("pone ante {}", "posts the ante {}"),
        ("muestra [{}] ({})", "shows [{}] ({})"),
        ("muestra [{}]", "shows [{}]"),
        ("no muestra su mano", "doesn't show hand"),
        ("descarta su mano sin mostrar", "mucks hand"),
    ),
    lines=(
        ("*** CARTAS DE MANO ***", "*** HOLE CARDS ***"),
        ("*** RESUMEN ***", "*** SUMMARY ***"),
        ("Repartidas a {} [{}]", "Dealt to {} [{}]"),
        ("Repartido a {} [{}]", "Dealt to {} [{}]"),
        ("Comunitarias [{}]", "Board [{}]"),
        ("La apuesta no igualada ({}) ha sido devuelta a {}", "Uncalled bet ({}) returned to {}"),
        ("{} abandona la mesa", "{} leaves the table"),
        ("{} se une a la mesa en el asiento n.º {}", "{} joins the table at seat #{}"),
        ("{} no tiene conexión", "{} is disconnected"),
        ("{} tiene conexión", "{} is connected"),
        ("{} ha agotado su tiempo mientras siga sin conexión", "{} has timed out while disconnected"),
        ("{} ha agotado su tiempo", "{} has timed out"),
        ("{} ha vuelto", "{} has returned"),
        ("Bote total {} | Comisión {}", "Total pot {} | Rake {}"),
    ),
    tails=(
        ("se lleva {} del bote", "collected {} from pot"),
        ("se lleva {} del bote principal", "collected {} from main pot"),
        ("se lleva {} del bote secundario", "collected {} from side pot"),
        ("se lleva {} del bote secundario-{}", "collected {} from side pot-{}"),
        ("terminó el torneo en {}.º lugar", "finished the tournament in {}th place"),
        ("gana el torneo y recibe {} - ¡enhorabuena!", "wins the tournament and receives {} - congratulations!"),
    ),
    labels=(("(botón)", "(button)"), ("(ciega pequeña)", "(small blind)"), ("(ciega grande)", "(big blind)")),
    results=(
        *_folds("se retiró antes del Flop", "se retiró en el ", "(no apostó)", ("Flop", "Turn", "River")),
        ("recaudó ({})", "collected ({})"),
        ("descartó sin mostrar [{}]", "mucked [{}]"),
        ("descartó sin mostrar", "mucked"),
        ("muestra [{}] y ganó ({}) con {}", "showed [{}] and won ({}) with {}"),
        ("mostró [{}] y ganó ({}) con {}", "showed [{}] and won ({}) with {}"),
        ("muestra [{}] y perdió con {}", "showed [{}] and lost with {}"),
        ("mostró [{}] y perdió con {}", "showed [{}] and lost with {}"),
    ),
)

RUSSIAN: Final = Language(
    seats=("Место ",),
    chips=" фишек",
    bounty="баунти ",
    all_in=" и ",
    header=(
        *_TOURNAMENT,
        ("Холдем", "Hold'em"),
        ("Омаха", "Omaha"),
        ("Безлимитный", "No Limit"),
        ("Безлимитная", "No Limit"),
        ("Пот-лимитный", "Pot Limit"),
        ("Пот-лимитная", "Pot Limit"),
        ("Пот-лимит", "Pot Limit"),
        ("Лимитный", "Limit"),
        ("Лимитная", "Limit"),
        (" ВВ]", " ET]"),
    ),
    acts=(
        ("делает фолд", "folds"),
        ("делает чек", "checks"),
        ("делает колл {}", "calls {}"),
        ("делает бет {}", "bets {}"),
        ("делает рейз {} {}", "raises {} to {}"),
        ("делает рейз {} до {}", "raises {} to {}"),
        ("ставит малый блайнд {}", "posts small blind {}"),
        ("ставит большой блайнд {}", "posts big blind {}"),
        ("ставит малый и большой блайнды {}", "posts small & big blinds {}"),
        ("ставит анте {}", "posts the ante {}"),
        ("открывает [{}] ({})", "shows [{}] ({})"),
        ("открывает [{}]", "shows [{}]"),
        ("не показывает руку", "doesn't show hand"),
        ("скрывает руку", "mucks hand"),
        ("сбрасывает карты", "mucks hand"),
    ),
    lines=(
        ("*** ЗАКРЫТЫЕ КАРТЫ ***", "*** HOLE CARDS ***"),
        ("*** ФЛОП *** [{}]", "*** FLOP *** [{}]"),
        ("*** ТЕРН *** [{}]", "*** TURN *** [{}]"),
        ("*** РИВЕР *** [{}]", "*** RIVER *** [{}]"),
        ("*** ВСКРЫТИЕ КАРТ ***", "*** SHOW DOWN ***"),
        ("*** ИТОГ ***", "*** SUMMARY ***"),
        ("Карты {} [{}]", "Dealt to {} [{}]"),
        ("Борд [{}]", "Board [{}]"),
        ("Неуравненная ставка ({}) возвращается игроку {}", "Uncalled bet ({}) returned to {}"),
        ("{} садится за стол на место №{}", "{} joins the table at seat #{}"),
        ("{} покидает стол", "{} leaves the table"),
        ("время на ход игрока {} истекло", "{} has timed out"),
        ("Общий банк {} | Доля {}", "Total pot {} | Rake {}"),
    ),
    tails=(
        ("получил {} ( банк)", "collected {} from pot"),
        ("получил {} (банк)", "collected {} from pot"),
        ("получил {} ( основной банк)", "collected {} from main pot"),
        ("получил {} (основной банк)", "collected {} from main pot"),
        ("получил {} ( побочный банк)", "collected {} from side pot"),
        ("получил {} (побочный банк)", "collected {} from side pot"),
    ),
    labels=(("(баттон)", "(button)"), ("(малый блайнд)", "(small blind)"), ("(большой блайнд)", "(big blind)")),
    results=(
        *_folds("сделал фолд до Флоп", "сделал фолд на ", "(не ставил)", ("Флоп", "Терн", "Ривер")),
        ("собрал ({})", "collected ({})"),
        ("открыл [{}] и выиграл ({}) , собрав {}", "showed [{}] and won ({}) with {}"),
        ("открыл [{}] и выиграл ({}), собрав {}", "showed [{}] and won ({}) with {}"),
        ("открыл [{}] и проиграл , собрав {}", "showed [{}] and lost with {}"),
        ("открыл [{}] и проиграл, собрав {}", "showed [{}] and lost with {}"),
        ("скрыл [{}]", "mucked [{}]"),
    ),
)

FRENCH: Final = Language(
    seats=("Siège ", "Place "),
    chips=" en jetons",
    bounty="prime de ",
    all_in=" et ",
    header=_TOURNAMENT,
    acts=(
        ("passe.", "folds"),
        ("passe", "folds"),
        ("se couche.", "folds"),
        ("se couche", "folds"),
        ("parole.", "checks"),
        ("parole", "checks"),
        ("suit. {}", "calls {}"),
        ("suit {}", "calls {}"),
        ("mise. {}", "bets {}"),
        ("mise {}", "bets {}"),
        ("relance. {} à {}", "raises {} to {}"),
        ("relance {} à {}", "raises {} to {}"),
        ("relance de {} à {}", "raises {} to {}"),
        ("met la petite blind. {}", "posts small blind {}"),
        ("met la petite blind {}", "posts small blind {}"),
        ("met la grosse blind. {}", "posts big blind {}"),
        ("met la grosse blind {}", "posts big blind {}"),
        ("met l'ante {}", "posts the ante {}"),
        ("montre [{}] ({})", "shows [{}] ({})"),
        ("montre [{}]", "shows [{}]"),
    ),
    lines=(
        ("*** CARTES FERMÉES ***", "*** HOLE CARDS ***"),
        ("*** TOURNANT *** [{}]", "*** TURN *** [{}]"),
        ("*** RIVIÈRE *** [{}]", "*** RIVER *** [{}]"),
        ("*** ABATTAGE ***", "*** SHOW DOWN ***"),
        ("*** RÉSUMÉ ***", "*** SUMMARY ***"),
        ("*** SYNTHÈSE ***", "*** SUMMARY ***"),
        ("Distribuées à {} [{}]", "Dealt to {} [{}]"),
        ("Distribuées {} [{}]", "Dealt to {} [{}]"),
    ),
    tails=(),
    labels=(("(bouton)", "(button)"), ("(petite blind)", "(small blind)"), ("(grosse blind)", "(big blind)")),
    results=(),
)

LANGUAGES: Final[tuple[tuple[str, Language], ...]] = (
    ("Mão ", PORTUGUESE),
    ("PokerStars Mão #", PORTUGUESE),
    ("Mano n", SPANISH),
    ("Раздача ", RUSSIAN),
    ("Main PokerStars ", FRENCH),
    ("Main Zoom PokerStars ", FRENCH),
    ("PokerStars Partie #", FRENCH),
)
"""How a hand's first line begins → in which language it goes on."""

LOCAL_HEADS: Final = tuple(head for head, _ in LANGUAGES)
