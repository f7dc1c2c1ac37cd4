LoadHand( {
  'Hand' : {
    Title : 'd33h7', NumberOfSeats : 6, "PotSize" : 0, BigBlind : 400, SmallBlind : 200, Ante : 600.5,
    CurrentBet : 0, Dealer : 2, CardsOut : [ ],
    Players : [
      { Name : 'O\'Vesna "}])"', Seat : 1, Stack : 40000, Cards : [ '10h', 'D10' ], CurrentBet : 0, },
      { Name : "LoadHand({Hand:{", Seat : 2, Stack : 40000, Cards : ["as","kd"], CurrentBet : 0 },
      { Name : "\u0041n\u00e9 \x21", Seat : 4, Stack : 40000, Cards : "c2 c3", CurrentBet : 0 },
    ],
  },
  Plays : [
    { Seat : 2, Action : "Raises to", value : 1000 },
    { Seat : 4, Action : "Calls" },
    { Seat : 1, Action : "FOLDS" },
    { Seat : 0, Action : "Deal", value : [ "h2", "c9", "sq" ] },
    { Seat : 4, Action : "Bets", value : 2000 },
    { Seat : 2, Action : "Folds" },
    { Seat : 4, Action : "Wins", value : "5000.5" },
  ],
} ) ;

URL: http://thebiggame.pokerstars.net/data/special/final.js
LoadHand( {
  'Hand' : {
    Title : 'The last one', NumberOfSeats : 6, "PotSize" : 0, BigBlind : 400, SmallBlind : 200, Ante : 600.5,
    CurrentBet : 0, Dealer : 2 ,CardsOut : [ ],
    Players : [
      { Name : 'O\'Vesna "}])"', Seat : 1, Stack : 40000, Cards : [ '10h', 'D10' ], CurrentBet : 0, },
      { Name : "LoadHand({Hand:{", Seat : 2, Stack : 40000, Cards : ["as","kd"], CurrentBet : 0 },
      { Name : "\u0041n\u00e9 \x21", Seat : 4, Stack : 40000, Cards : "c2 c3", CurrentBet : 0 },
    ],
  },
  Plays : [
    { Seat : 2, Action : "Raises to", value : 1000 },
    { Seat : 4, Action : "Calls" },
    { Seat : 1, Action : "FOLDS" },
    { Seat : 0, Action : "Deal", value : [ "h2", "c9", "sq" ] },
    { Seat : 4, Action : "Bets", value : 2000 },
    { Seat : 2, Action : "Folds" },
    { Seat : 4, Action : "Wins", value : "5000.5" },
  ],
} ) ;
