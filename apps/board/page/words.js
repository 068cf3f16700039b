// What the page says, in German and English. The browser's language decides until somebody chooses.

import { keep, kept } from "./settings.js";

const ENGLISH = {
  title: "Blokus",
  BLUE: "Blue", YELLOW: "Yellow", RED: "Red", GREEN: "Green",
  ONE: "Blue and red", TWO: "Yellow and green",
  newGame: "New game", open: "Look at a game", openHint: "Drop a replay (.xml, .xml.gz), a .blksgf or a text file anywhere on this page.",
  rules: "Rules", startPiece: "First piece", drawn: "drawn",
  level: (n) => `Level ${n}`, people: "People at this screen", guest: "Somebody elsewhere, by link", watch: "I watch",
  "2027": "Contest 2027", "2021": "Contest 2021", classic: "Classic, 2 players", "classic-4": "Classic, 4 players",
  start: "Start", recent: "Recent games", position: "Position (our notation), optional", clock: "Clock",
  noClock: "No clock", minutes: (n) => `${n} minutes a team`, seconds: (n) => `${n} s a move`,
  yourTurn: (color) => `${color}: your move`, theirTurn: (color) => `${color} is on turn`, thinking: (color) => `${color} is thinking …`,
  won: (team) => `${team} won`, draw: "A draw",
  faults: {
    resigned: (team) => `${team} resigned`, late: (team) => `${team} ran out of time`, left: (team) => `${team} left the game`,
    illegal: (team) => `${team} made an illegal move`,
  },
  said: (text) => `What was said: ${text}`, troubled: (color, text) => `The program of ${color} cannot go on: ${text}`,
  unfinished: "The record ends here", paused: "Paused",
  undo: "Undo", redo: "Redo", hint: "Hint", pass: "Pass", resign: "Resign", moveNow: "Move now", pause: "Pause", resume: "Go on",
  back: "One move back", forward: "One move on", toStart: "To the start", toEnd: "To the end", goOnHere: "Go on from here",
  analyse: "Analyse the game", stop: "Stop", save: "Save", language: "Deutsch",
  last: "Last move", anchors: "Corners", territory: "Reach", letters: "Letters",
  reachOf: (color, cells, sealed, fits) =>
    `${color} can still reach ${cells} ${cells === 1 ? "cell" : "cells"}, ${sealed} of them alone, with ${fits} ${fits === 1 ? "piece" : "pieces"}`,
  points: "points", pointsOf: (n) => `${n} ${n === 1 ? "point" : "points"}`, out: "out", moves: "Moves", comment: "Comment on this move",
  turn: "Turn (R)", mirror: "Mirror (F)", drop: "Put back (Esc)", place: "Place (Enter)",
  winChance: "Chance to win", asked: "The engine is thinking …", accuracy: "Accuracy", givenAway: "Points given away",
  inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder", marks: "Marked ?! / ? / ??",
  better: "Better was", unchecked: "at a first look", graphHelp: "Blue and red: chance to win (area) and expected margin (dashed, ±40 points). Click to go there.",
  scale: "Marks at 0.1, 0.2 and 0.3 of the winning chance on lichess's scale from −1 to 1. Points given away: in rounds 1 to 5, 6 to 12, later.",
  progress: (done, total) => `${done} of ${total} ${total === 1 ? "position" : "positions"}`,
  noConnection: "The connection is lost. Trying again …", no_service: "The service does not answer. Is the program still running?", share: "Share",
  linkHelp: "Each link plays one colour or both of a team, or watches. Give a link only to whom it is meant for.",
  watchers: "Watchers", noMoves: "No moves yet.", noGames: "No games yet.",
  help: "Take a piece with the mouse, a finger or Tab and Enter. Wheel or R turns it, right click or F mirrors it, arrows move it, Enter places it, Esc puts it back.",
  board: "Board", pieces: (color) => `Pieces of ${color}`, moved: (color, mv) => `${color}: ${mv}`,
  game_over: "The game is over.", wrong_color: "Another colour is on turn.",
  pass_on_first_move: "The first move of a colour must place a piece.", not_start_piece: "The first piece must be the one that was drawn.",
  piece_not_left: "This piece has been placed before.", out_of_bounds: "The piece does not fit on the board here.",
  obstructed: "A cell is covered already.", touches_own_color: "Pieces of one colour must not touch along a side.",
  not_on_start: "The first piece must cover a start cell.", no_shared_corner: "The piece must touch one of your own at a corner.",
  not_yours: "Somebody else plays this colour.", not_allowed: "Only who made the game may do that.", stale: "Not done: the game has changed meanwhile, in another window perhaps.",
  goneOn: "The game has gone on meanwhile, in another window perhaps. Your piece is back with the others.",
  here: "The game stands here already.", text_too_long: "The text is too long.", too_long: "The game has too many moves, variations or changes to go on.",
  nothing_to_undo: "There is nothing to take back.", nothing_to_redo: "There is nothing to do again.", time_up: "The time is up.",
  busy: "An analysis is running already.", no_engine: "No program is to move.", no_link: "There is no game with this link.",
  no_game: "There is no such game in this browser. Games stay in the browser in which they were begun.", toFirstPage: "To the first page",
  no_key: "This address lacks the key, without which no games are begun or opened here. The program printed the whole address at its start; it ends with #key= and the key. If you were given a link to a game, open that.", too_large: "The file has more than 8 MiB.", too_slow: "The file has not arrived in time.",
  file_empty: "The file is empty.", file_no_game: "There is no game in the file.", file_too_long: "A game of the file has too many moves and variations for the board.",
  unreadable: "The browser cannot read this; it may be a folder.", no_replay: "There are no replays of games with these rules.",
  explained: {
    file: (text) => `The file cannot be opened: ${text}`, notation: (text) => `This is not a position in our notation: ${text}`,
    unknown_program: (text) => `This program cannot play here: ${text}`, other: (text) => text,
  },
  theme: "Look", theme_auto: "Automatic", theme_light: "Light", theme_dark: "Dark",
  person: "Person at this screen", left: (n) => `${n} left`, held: "Piece in the hand",
  turnShort: "Turn", mirrorShort: "Mirror", placeShort: "Place",
  lookingBack: (n) => `After ${n} ${n === 1 ? "move" : "moves"}`, lineShown: (n) => `What could follow, ${n} ${n === 1 ? "move" : "moves"} on`,
  live: "Think along", time: "Time for each position", pace: "Programs",
  perMove: (s) => `${s} s a move`, paceOf: (s) => `a move every ${s} s`, paceNone: "move at once",
  seats: "Players and links", players: "Players", copyLink: "Copy link", copied: "Copied", close: "Close", yes: "Yes", no: "No",
  resignQuestion: (team) => `Give up for ${team}?`, move: "Move", wins: "Wins", expected: "Could go on",
  handAt: (shape, x, y, fits) => `${shape}, column ${x}, row ${y}, ${fits ? "fits" : "does not fit"}`,
  levels: "Against the computer, level", others: "or against", more: "More", chooseFile: "Choose a file", me: "My colours",
  sheetOf: (names) => `Game ${names}`, keys: "Arrow keys step through the moves.",
  easiest: "1 is for beginners, 9 is everything the engine can do",
  liveGames: "Games at the game server", running: "The arena is playing", matches: "Matches of the arena", matchState: (games, points) => `${points} of ${games}`,
  openings: (n) => `Played from here, ${n} ${n === 1 ? "game" : "games"}`, gamesPlayed: "Games", scored: "Scored", engine: "Engine",
  archive: "The database of the arena cannot be read, or the game is gone from it.",
  disk_full: "The disk is full: nothing was changed.", database_locked: "Another program keeps the games locked: nothing was changed. Try again.",
  database_damaged: "The file of the games is damaged: nothing was changed.",
  human: "Person", afterMoves: (n) => (n === 1 ? "after 1 move" : `after ${n} moves`),
  alone: "This page needs no server: games stay in this browser. Games between two machines, programs of others and the games of the arena need the program.",
  noEngine: (why) => `The engine cannot be loaded: ${why}`, not_kept: "The browser does not keep this game: it is gone when the page is closed.",
  forgetful: "This browser keeps nothing: games are gone when the page is closed.",
  speed: "How fast is the engine here?", speedOf: (n) => `${n} simulations a second`, searching: (done, total) => `Searching position ${done} of ${total} …`,
  sameMoves: (name) => `It plays the same moves as everywhere else (fingerprint ${name}).`, otherMoves: (name) => `It does not play the moves on record (fingerprint ${name}).`,
};

const GERMAN = {
  title: "Blokus",
  BLUE: "Blau", YELLOW: "Gelb", RED: "Rot", GREEN: "Grün",
  ONE: "Blau und Rot", TWO: "Gelb und Grün",
  newGame: "Neue Partie", open: "Partie ansehen", openHint: "Zieh ein Replay (.xml, .xml.gz), eine .blksgf- oder eine Textdatei irgendwo auf diese Seite.",
  rules: "Regeln", startPiece: "Erster Stein", drawn: "ausgelost",
  level: (n) => `Stufe ${n}`, people: "Leute an diesem Bildschirm", guest: "Jemand woanders, per Link", watch: "Ich schaue zu",
  "2027": "Wettbewerb 2027", "2021": "Wettbewerb 2021", classic: "Klassisch, zu zweit", "classic-4": "Klassisch, zu viert",
  start: "Los", recent: "Letzte Partien", position: "Stellung (unsere Notation), optional", clock: "Uhr",
  noClock: "Ohne Uhr", minutes: (n) => `${n} Minuten je Team`, seconds: (n) => `${n} s je Zug`,
  yourTurn: (color) => `${color}: du bist dran`, theirTurn: (color) => `${color} ist dran`, thinking: (color) => `${color} überlegt …`,
  won: (team) => `${team} ${team.includes(" ") ? "haben" : "hat"} gewonnen`, draw: "Unentschieden",
  faults: {
    resigned: (team) => `${team} haben aufgegeben`, late: (team) => `Die Zeit von ${team} ist abgelaufen`, left: (team) => `${team} haben die Partie verlassen`,
    illegal: (team) => `${team} haben regelwidrig gezogen`,
  },
  said: (text) => `Dazu heißt es: ${text}`, troubled: (color, text) => `Das Programm von ${color} kann nicht weiterspielen: ${text}`,
  unfinished: "Hier endet die Aufzeichnung", paused: "Pause",
  undo: "Zurücknehmen", redo: "Wiederholen", hint: "Tipp", pass: "Passen", resign: "Aufgeben", moveNow: "Zieh jetzt", pause: "Pause", resume: "Weiter",
  back: "Einen Zug zurück", forward: "Einen Zug vor", toStart: "Zum Anfang", toEnd: "Zum Ende", goOnHere: "Von hier weiter",
  analyse: "Partie analysieren", stop: "Abbrechen", save: "Speichern", language: "English",
  last: "Letzter Zug", anchors: "Ecken", territory: "Reichweite", letters: "Buchstaben",
  reachOf: (color, cells, sealed, fits) =>
    `${color} kommt noch auf ${cells} ${cells === 1 ? "Feld" : "Felder"}, auf ${sealed} davon als Einzige, mit ${fits} ${fits === 1 ? "Stein" : "Steinen"}`,
  points: "Punkte", pointsOf: (n) => `${n} ${n === 1 ? "Punkt" : "Punkte"}`, out: "raus", moves: "Züge", comment: "Kommentar zu diesem Zug",
  turn: "Drehen (R)", mirror: "Spiegeln (F)", drop: "Zurücklegen (Esc)", place: "Legen (Enter)",
  winChance: "Gewinnchance", asked: "Das Programm überlegt …", accuracy: "Genauigkeit", givenAway: "Verschenkte Punkte",
  inaccuracy: "Ungenauigkeit", mistake: "Fehler", blunder: "grober Fehler", marks: "Markiert ?! / ? / ??",
  better: "Besser war", unchecked: "auf den ersten Blick", graphHelp: "Blau und Rot: Gewinnchance (Fläche) und erwarteter Vorsprung (gestrichelt, ±40 Punkte). Ein Klick springt dorthin.",
  scale: "Markiert ab 0,1, 0,2 und 0,3 Verlust an Gewinnchance auf der Skala von lichess, −1 bis 1. Verschenkte Punkte: in den Runden 1 bis 5, 6 bis 12, danach.",
  progress: (done, total) => `${done} von ${total} ${total === 1 ? "Stellung" : "Stellungen"}`,
  noConnection: "Die Verbindung ist weg. Neuer Versuch …", no_service: "Der Dienst antwortet nicht. Läuft das Programm noch?", share: "Anteil",
  linkHelp: "Mit jedem Link spielt man eine Farbe oder beide eines Teams, oder man sieht zu. Gib einen Link nur denen, für die er gedacht ist.",
  watchers: "Zuschauer", noMoves: "Noch keine Züge.", noGames: "Noch keine Partien.",
  help: "Nimm einen Stein mit Maus, Finger oder mit Tab und Enter. Mausrad oder R dreht ihn, Rechtsklick oder F spiegelt ihn, die Pfeile schieben ihn, Enter legt ihn, Esc legt ihn zurück.",
  board: "Spielbrett", pieces: (color) => `Steine von ${color}`, moved: (color, mv) => `${color}: ${mv}`,
  game_over: "Die Partie ist vorbei.", wrong_color: "Eine andere Farbe ist dran.",
  pass_on_first_move: "Im ersten Zug muss jede Farbe einen Stein legen.", not_start_piece: "Der erste Stein muss der ausgeloste sein.",
  piece_not_left: "Diesen Stein hast du schon gelegt.", out_of_bounds: "Hier ragt der Stein über das Brett hinaus.",
  obstructed: "Ein Feld ist schon belegt.", touches_own_color: "Steine derselben Farbe dürfen sich nicht an einer Seite berühren.",
  not_on_start: "Der erste Stein muss ein Startfeld bedecken.", no_shared_corner: "Der Stein muss einen eigenen an einer Ecke berühren.",
  not_yours: "Diese Farbe spielt jemand anders.", not_allowed: "Das darf nur, wer die Partie angelegt hat.", stale: "Nicht ausgeführt: Die Partie hat sich inzwischen geändert, vielleicht in einem anderen Fenster.",
  goneOn: "Die Partie ist inzwischen weitergegangen, vielleicht in einem anderen Fenster. Dein Stein liegt wieder bei den anderen.",
  here: "Die Partie steht schon hier.", text_too_long: "Der Text ist zu lang.", too_long: "Die Partie hat zu viele Züge, Varianten oder Änderungen, um weiterzugehen.",
  nothing_to_undo: "Es gibt nichts zurückzunehmen.", nothing_to_redo: "Es gibt nichts zu wiederholen.", time_up: "Die Zeit ist abgelaufen.",
  busy: "Es läuft schon eine Analyse.", no_engine: "Es ist kein Programm am Zug.", no_link: "Zu diesem Link gibt es keine Partie.",
  no_game: "Diese Partie gibt es in diesem Browser nicht. Partien bleiben in dem Browser, in dem sie begonnen wurden.", toFirstPage: "Zur ersten Seite",
  no_key: "Dieser Adresse fehlt der Schlüssel, ohne den hier keine Partien begonnen oder geöffnet werden. Das Programm hat die ganze Adresse beim Start ausgegeben; sie endet mit #key= und dem Schlüssel. Wenn du einen Link zu einer Partie bekommen hast, öffne den.", too_large: "Die Datei hat mehr als 8 MiB.", too_slow: "Die Datei ist nicht rechtzeitig angekommen.",
  file_empty: "Die Datei ist leer.", file_no_game: "In der Datei ist keine Partie.", file_too_long: "Eine Partie der Datei hat zu viele Züge und Varianten für das Brett.",
  unreadable: "Das kann der Browser nicht lesen; vielleicht ist es ein Ordner.", no_replay: "Von Partien mit diesen Regeln gibt es keine Replays.",
  explained: {
    file: (text) => `Die Datei lässt sich nicht öffnen. Genauer, auf Englisch: ${text}`,
    notation: (text) => `Das ist keine Stellung in unserer Notation. Genauer, auf Englisch: ${text}`,
    unknown_program: (text) => `Dieses Programm kann hier nicht spielen. Genauer, auf Englisch: ${text}`,
    other: (text) => `Das geht nicht. Genauer, auf Englisch: ${text}`,
  },
  theme: "Aussehen", theme_auto: "Automatisch", theme_light: "Hell", theme_dark: "Dunkel",
  person: "Mensch an diesem Bildschirm", left: (n) => `noch ${n}`, held: "Stein in der Hand",
  turnShort: "Drehen", mirrorShort: "Spiegeln", placeShort: "Legen",
  lookingBack: (n) => `Nach ${n} ${n === 1 ? "Zug" : "Zügen"}`, lineShown: (n) => `Mögliche Fortsetzung, ${n} ${n === 1 ? "Zug" : "Züge"} weiter`,
  live: "Mitdenken", time: "Zeit je Stellung", pace: "Programme",
  perMove: (s) => `${String(s).replace(".", ",")} s je Zug`, paceOf: (s) => `alle ${String(s).replace(".", ",")} s ein Zug`, paceNone: "ziehen sofort",
  seats: "Spieler und Links", players: "Spieler", copyLink: "Link kopieren", copied: "Kopiert", close: "Schließen", yes: "Ja", no: "Nein",
  resignQuestion: (team) => `Für ${team} aufgeben?`, move: "Zug", wins: "Gewinnt", expected: "Könnte so weitergehen",
  handAt: (shape, x, y, fits) => `${shape}, Spalte ${x}, Zeile ${y}, ${fits ? "passt" : "passt nicht"}`,
  levels: "Gegen den Computer, Stufe", others: "oder", more: "Mehr", chooseFile: "Datei wählen", me: "Meine Farben",
  sheetOf: (names) => `Partie ${names}`, keys: "Mit den Pfeiltasten geht es durch die Züge.",
  easiest: "1 ist für Anfänger, 9 ist alles, was das Programm kann",
  liveGames: "Partien am Spielserver", running: "Die Arena spielt gerade", matches: "Wettkämpfe der Arena", matchState: (games, points) => `${String(points).replace(".", ",")} von ${games}`,
  openings: (n) => `Von hier gespielt, ${n} ${n === 1 ? "Partie" : "Partien"}`, gamesPlayed: "Partien", scored: "Punkte", engine: "Programm",
  archive: "Die Datenbank der Arena lässt sich nicht lesen, oder die Partie ist nicht mehr darin.",
  disk_full: "Die Festplatte ist voll: Nichts wurde geändert.", database_locked: "Ein anderes Programm hält die Partien gesperrt: Nichts wurde geändert. Versuch es noch einmal.",
  database_damaged: "Die Datei mit den Partien ist beschädigt: Nichts wurde geändert.",
  human: "Mensch", afterMoves: (n) => (n === 1 ? "nach 1 Zug" : `nach ${n} Zügen`),
  alone: "Diese Seite braucht keinen Server: Partien bleiben in diesem Browser. Partien zwischen zwei Rechnern, fremde Programme und die Partien der Arena gibt es nur mit dem Programm.",
  noEngine: (why) => `Das Programm lässt sich nicht laden: ${why}`, not_kept: "Der Browser behält diese Partie nicht: Sie ist weg, wenn die Seite geschlossen wird.",
  forgetful: "Dieser Browser behält nichts: Partien sind weg, wenn die Seite geschlossen wird.",
  speed: "Wie schnell rechnet es hier?", speedOf: (n) => `${n} Simulationen pro Sekunde`, searching: (done, total) => `Stellung ${done} von ${total} …`,
  sameMoves: (name) => `Es spielt dieselben Züge wie überall (Fingerabdruck ${name}).`, otherMoves: (name) => `Es spielt nicht die Züge, die verzeichnet sind (Fingerabdruck ${name}).`,
};

// Where the browser keeps nothing, the address tells what was chosen.
const language = kept("language") ?? new URLSearchParams(location.search).get("language") ?? (navigator.language.startsWith("de") ? "de" : "en");
document.documentElement.lang = language;

export const words = language === "de" ? GERMAN : ENGLISH;

/** Who sits somewhere; nothing for a person at the host's screen. */
export const seatName = (seat) =>
  ({ person: () => "", guest: () => words.guest, level: () => words.level(seat.level), program: () => seat.name })[seat.kind]();

/** Who plays a team: its name, or else who sits there; nothing for persons at the host's screen. */
export const nameOf = (name, seats) => name || [...new Set(seats.map(seatName))].filter(Boolean).join(", ");

/** A sentence about something that was refused, in the language of the page; what is wrong with a text is explained as it came. */
export const refusal = (name, text) =>
  (typeof words[name] === "string" ? words[name] : (words.explained[name] ?? words.explained.other)(text));

export function switchLanguage() {
  const other = language === "de" ? "en" : "de";
  keep("language", other);
  const address = new URL(location);
  if (kept("language") !== other) address.searchParams.set("language", other);
  if (address.href === location.href) location.reload();
  else location.assign(address);
}

/** How bad a move was, as chess players write it: legible without colours. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** A number with a sign. */
export const signed = (x, digits = 0) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(digits).replace(".", language === "de" ? "," : ".");
export const percent = (x) => `${Math.round(100 * x)} %`;
