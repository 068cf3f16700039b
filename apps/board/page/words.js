// The texts of the page in German and English. The browser's language counts until another is chosen.

import { keep, kept } from "./settings.js";

/** Returns the text quoted in an error message. */
const quotedText = (text) => {
  const found = /`([^`]*)`/.exec(text);
  return found ? `: \`${found[1]}\`` : ".";
};

/** Returns a German pointer to the line that an error names. */
const seeLine = (text) => {
  const found = /(?:^|: )line (\d+)/.exec(text);
  return found ? `, siehe Zeile ${found[1]}` : "";
};

/** Returns the colour that an error names. */
const named = (text, language) => language[/BLUE|YELLOW|RED|GREEN/.exec(text)?.[0]] ?? "";

/** The files that the board reads. */
const FILES = ".xml, .xml.gz, .blksgf, .jsonl";

const ENGLISH = {
  title: "Blokus",
  BLUE: "Blue", YELLOW: "Yellow", RED: "Red", GREEN: "Green",
  ONE: "Blue and red", TWO: "Yellow and green", colorLetters: ["B", "Y", "R", "G"],
  newGame: "New game", goal: "Cover more of the board than your opponent.", open: "Look at a game", openHint: `A replay or another game (${FILES}). You can also drop the file on this page.`,
  rules: "Rules", startPiece: "First piece", drawn: "drawn at random",
  level: (n) => `Level ${n}`, people: "Several people on this device", guest: "Someone else, by link", watch: "Watch two programs",
  "2027": "Contest 2027", "2021": "Contest 2021", classic: "Classic, 2 players", "classic-4": "Classic, 4 players",
  start: "Start game", recent: "Recent games", position: "Position (our notation), optional", clock: "Clock",
  record: "Your games against the levels", opponentHead: "Opponent",
  wonGames: "Won", drawnGames: "Drawn", lostGames: "Lost", eloHelp: "Elo: your strength minus the level's, with its 95 % interval.",
  setUp: "Set up a position", piecesOf: "Place pieces of", toMove: "To move", goBack: "Back",
  setUpHelp: "Choose a colour and place its pieces in any order, each where the rules allow it. Click a piece on the board to remove it. Then choose the colour to move.",
  noClock: "No clock", minutes: (n) => `${n} minutes a team`, seconds: (n) => `${n} s a move`,
  yourTurn: (color) => `${color}: your move`, theirTurn: (color) => `${color} to move`, thinking: (color) => `${color} is thinking …`,
  won: (team) => `${team} won`, draw: "A draw",
  faults: {
    resigned: (team) => `${team} resigned`, late: (team) => `${team} ran out of time`, left: (team) => `${team} left the game`,
    illegal: (team) => `${team} made an illegal move`,
  },
  serverMessage: (text) => `Server message: ${text}`, engineError: (color, text) => `The program of ${color} failed: ${text}`,
  unfinished: "The record ends here", paused: "Paused",
  undo: "Undo", redo: "Redo", hint: "Hint", pass: "Pass", resign: "Resign", moveNow: "Move now", pause: "Pause", resume: "Resume",
  back: "Previous move", forward: "Next move", toStart: "To the start", toEnd: "To the end", goOnHere: "Play on from here",
  analyse: "Analyse the game", stop: "Stop", save: "Save as",
  kinds: { html: "Page", blksgf: "Pentobi", jsonl: "Data", xml: "Replay", svg: "Drawing", png: "Picture" }, share: "Link with this game", language: "Deutsch",
  marked: "Show", last: "Last move", numbers: "Move numbers", anchors: "Free corners", territory: "Reach", letters: "Colour letters",
  reachOf: (color, cells, sealed, fits) =>
    `${color} can still reach ${cells} ${cells === 1 ? "cell" : "cells"}, ${sealed} of them alone, with ${fits} ${fits === 1 ? "piece" : "pieces"}`,
  points: "points", pointsOf: (n) => `${n} ${n === 1 ? "point" : "points"}`, out: "out", moves: "Moves", comment: "Comment on this move",
  turn: "Turn (R)", mirror: "Mirror (F)", drop: "Put back (Esc)", place: "Place (Enter)",
  winProbability: "Win probability", winProbabilityOf: (team) => `Win probability of ${team}`,
  expectedMargin: (team, points) => `Expected margin of ${team}: ${points} points`, asked: "The engine is thinking …", accuracy: "Accuracy",
  inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder", marks: "Marked ?! / ? / ??",
  better: "Better was", unchecked: "not confirmed", graphHelp: "Dashed: expected margin (±40 points). Below: number of the move. Click to go there.",
  scale: "Marks: a loss of at least 5, 10 or 15 percentage points of win probability, confirmed by a second search.",
  progress: (done, total) => `${done} of ${total} ${total === 1 ? "position" : "positions"}`,
  noConnection: "Connection lost. Reconnecting …", no_service: "The service does not answer. Is the program board still running?", searchShare: "Share of search",
  linkHelp: "A link lets its holder play one colour or both colours of a team, or only watch. Give each link only to the person it is for.",
  watchers: "Watchers", noMoves: "No moves yet.", noGames: "No games yet.", noMatch: "No game fits the filter.",
  help: "Take a piece with the mouse or with Tab and Enter; dots show where it fits. Wheel or R turns it, right click or F mirrors it, arrows move it, Space moves it to the next legal place, Enter places it, Esc puts it back.",
  helpTouch: "Tap a piece or drag it to the board; dots show where it fits. On the board, tap to turn it, hold to mirror it, drag to move it; Place plays it.",
  board: "Board", pieces: (color) => `Pieces of ${color}`, moved: (color, mv) => `${color}: ${mv}`,
  game_over: "The game is over.", wrong_color: "It is another colour's turn.",
  pass_on_first_move: "The first move of a colour must place a piece.", not_start_piece: "The first piece must be the one that was drawn.",
  piece_not_left: "This piece has been placed before.", out_of_bounds: "The piece does not fit on the board here.",
  obstructed: "A cell is covered already.", touches_own_color: "Pieces of one colour must not touch along a side.",
  not_on_start: "The first piece must cover a start cell.", no_shared_corner: "The piece must touch one of your own at a corner.",
  not_yours: "Someone else plays this colour.", not_allowed: "Only the host of the game may do that.", stale: "Not done: the game has changed, perhaps in another window.",
  goneOn: "The game has continued, perhaps in another window. Your piece is back in the tray.",
  filterGames: "Filter games", gameName: "Name of the game", editGame: "Rename or delete", deleteQuestion: (name) => `Delete ${name}? This cannot be undone.`,
  variation: "Variation", variationName: "Name of the variation", rename: "Rename", promote: "Make main line", remove: "Delete",
  played: "Moves of the played game cannot be deleted.",
  here: "The game is already at this position.", text_too_long: "The text is too long.", too_long: "The game has reached its limit of moves, variations or changes.",
  nothing_to_undo: "There is nothing to undo.", nothing_to_redo: "There is nothing to redo.", time_up: "The time is up.",
  busy: "An analysis is running already.", no_engine: "No program is to move.", no_link: "There is no game with this link.",
  no_game: "There is no such game in this browser. A game stays in the browser that started it.", toFirstPage: "To the first page",
  no_key: "This address lacks the key. The program board printed the whole address at its start; it ends with #key= and the key. If you have a link to a game, open that.", too_large: "The file has more than 8 MiB.", too_slow: "The upload took too long.",
  file_empty: "The file is empty.", file_archive: "This is a ZIP archive. Unpack it first.", file_no_game: "There is no game in the file.", file_too_long: "A game of the file has too many moves and variations for the board.",
  unreadable: "The browser cannot read this. Is it a folder?", no_replay: "There are no replays of games with these rules.",
  explained: {
    file: (text) => text, notation: (text) => `This is not a position in our notation${quotedText(text)}`,
    no_piece: (text) => `Some cells of ${named(text, ENGLISH)} form no piece.`, piece_twice: (text) => `${named(text, ENGLISH)} has placed a piece twice.`,
    unknown_program: (text) => `This program cannot play here${quotedText(text)}`, other: (text) => text,
  },
  theme: "Theme", theme_auto: "Auto", theme_light: "Light", theme_dark: "Dark",
  person: "Person on this device", left: (n) => `${n} left`, held: "Held piece",
  turnShort: "Turn", mirrorShort: "Mirror", placeShort: "Place",
  lookingBack: (n) => `After ${n} ${n === 1 ? "move" : "moves"}`, lineShown: (n) => `Line of the engine, ${n} ${n === 1 ? "move" : "moves"} on`,
  live: "Live analysis", time: "Time per position", pace: "Speed of programs",
  perMove: (s) => `${s} s a move`, paceOf: (s) => `a move every ${s} s`, paceNone: "No pause",
  seats: "Players and links", players: "Players", copyLink: "Copy link", copied: "Copied", close: "Close", cancel: "Cancel",
  resignQuestion: (team) => `Resign for ${team}?`, move: "Move", expected: "Expected line",
  handAt: (shape, x, y, fits) => `${shape}, column ${x}, row ${y}, ${fits ? "fits" : "does not fit"}`,
  opponent: "Your opponent", more: "More options", chooseFile: "Choose a file",
  sheetOf: (names) => `Game ${names}`, keys: "Arrow keys step through the moves.",
  liveGames: "Games at the game server", noServer: (why) => `The game server cannot be watched: ${why}`, running: "The arena is playing", matches: "Matches of the arena", matchState: (games, points) => `${points} ${points === 1 ? "point" : "points"} from ${games} ${games === 1 ? "game" : "games"}`,
  archive: "The database of the arena cannot be read, or the game is gone from it.",
  disk_full: "The disk is full: nothing was changed.", database_locked: "Another program keeps the games locked: nothing was changed. Try again.",
  database_damaged: "The file of the games is damaged: nothing was changed.",
  you: "You", host: "Host", someone: "Guest", afterMoves: (n) => (n === 1 ? "after 1 move" : `after ${n} moves`),
  alone: "This page needs no server: games stay in this browser. To play on two machines or against other programs, install the program board.",
  noEngine: (why) => `The engine cannot be loaded: ${why}`, not_kept: "The browser does not store this game: it is gone when the page is closed.",
  forgetful: "This browser stores nothing: games are gone when the page is closed.",
  speed: "How fast is the engine here?", speedOf: (n) => `${n} simulations a second`, searching: (done, total) => `Searching position ${done} of ${total} …`,
  sameMoves: (name) => `Its moves match the reference (fingerprint ${name}).`, otherMoves: (name) => `Its moves differ from the reference (fingerprint ${name}).`,
  tabs: { play: "Game", analysis: "Analysis", more: "More" }, newShort: "New", ok: "OK",
  placed: (color, piece, x, y) => `${color} placed ${piece} at column ${x}, row ${y}`, passed: (color) => `${color} passed`,
  openedGames: (n) => `This is the first of ${n} games (at most 20 of each file); the first page lists the others.`,
  cutOff: "The record ends before the end of the game. You can play on from here.",
  fileRefused: (name, reason) => `${name} cannot be read as a game: ${reason}`, linkRefused: "The link contains no readable game.",
  usable: (n, all) => `${n} of ${all} pieces ${n === 1 ? "fits" : "fit"} now`, outNote: "No piece fits any more", allPlaced: "All pieces are on the board",
  firstDrawn: (piece) => `Start with piece ${piece}. It must cover a marked start cell.`,
  firstPiece: "The first piece must cover a marked start cell.",
  levelLines: [
    "for a first game: overlooks a lot", "overlooks many corners", "sees most corners", "rarely overlooks anything",
    "looks one move ahead", "tries 150 continuations", "tries 900 continuations", "tries 6,000 continuations", "everything the engine can do",
  ],
  first: "Blue and red", second: "Yellow and green", me: "Your colours", defaultName: "Player", yourName: "Your name", nameQuestion: "What should the others call you?",
  invite: "Invite your opponent", inviteHelp: "Send this link. Your opponent opens it and plays the other two colours.", inviteGuest: "For your opponent", inviteWatchers: "For watchers",
  youWon: (points) => `You won ${points}`.trim(), youLost: (points) => `You lost ${points}`.trim(), analyseShort: "Analyse", again: "Play again", swap: "Swap sides",
  decisive: (team, move, before, after) => `Decisive: move ${move} cost ${team} most, ${before} → ${after}`,
  moveOf: (n, color) => `Move ${n}, ${color}`, fine: "no mistake", verdictHelp: "Select a move to see its evaluation.", noAnalysis: "The host of the game has not analysed it.", watching: "You are watching this game.",
  analysisHelp: "The engine searches every position of the game, marks mistakes and shows better moves.", betterShort: "better", tried: "you", gameMove: "played",
  learn: "Learn from the mistakes of", lessonOf: (n, all) => `Mistake ${n} of ${all}`, findBetter: (color) => `${color}: find a better move`,
  lessonTask: "Find a better move and place it on the board.",
  lessonHelp: (before, after) => `The move played took the win probability from ${before} to ${after}.`,
  answers: {
    judging: () => "Checking the move …", best: () => "Yes, the engine plays this too.", good: (win) => `Good: ${win}.`, bad: (win) => `Only ${win}. Try another move.`,
    same: () => "This is the move of the game. Try another one.", unknown: () => "The engine has not answered. Try again.", shown: () => "The engine would have played this.",
  },
  showAnswer: "Show the answer", nextMistake: "Next", lessonDone: "Done", lessonEnd: "Stop",
  howTo: "How to play", understood: "Got it",
  rulesOfPlay: [
    ["Two colours each", "One team plays blue and red, the other yellow and green. Blue moves first, then yellow, red, green."],
    ["The first piece", "In the contest it is drawn and the same for all. It covers a cell at the edge (2027) or a corner (2021 and classic)."],
    ["Corner to corner", "Every other piece touches one of its own colour at a corner, never along a side. Other colours may be touched."],
    ["Turn and mirror", "Wheel or R turns, right click or F mirrors. With a finger: tap to turn, hold to mirror."],
    ["The end", "A colour that cannot place any piece is out. The game ends when all four are out."],
    ["The points", "Each covered cell counts one point for its team; more points win. All 21 pieces of a colour: 15 more, and 5 if the single cell came last."],
  ],
  standings: {
    league: "League", none: "This database contains no league. Start one with arena league FOLDER.", name: "Name", interval: "95 % interval",
    games: "Games", points: "Points", faults: "Faults", table: "All against all",
    tableHelp: "Games won, drawn and lost by the row against the column.", removed: "Former versions and removed players",
    gamesOf: (name) => `Games of ${name}`, losses: "Losses first. A click opens the game on the board.", lost: "lost", drawn: "drawn", won: "won",
    ownFault: (kind) => `Own fault: ${kind}`, otherFault: (kind) => `Fault of the opponent: ${kind}`, illegal: "illegal move", late: "too late",
    left: "left the game", resigned: "resigned", versions: "Versions", versionsHelp: "Rating of each version with its 95 % interval.",
    rating: (name, elo) => (elo ? `${name}: Elo ${elo[1]}, from ${elo[0]} to ${elo[2]}` : `${name}: no rating yet`),
    uploads: "Upload links", uploadsHelp: "Give each team its own link. The link lets anyone upload the next version of the team.", newTeam: "New team", add: "Add",
    uploadFor: (name) => `Upload of ${name}`, package: "Contest package (zip with start.sh, at most 50 MiB)", send: "Upload",
    sent: "Stored. The new version joins within seconds.", noVersions: "No version has played yet.",
    refused: {
      zip_large: "The package is too large: 50 MiB are allowed, 500 MiB unpacked, and 10,000 files.", zip_broken: "The file is not a whole zip file.",
      zip_path: "The package contains a link or a file outside its folder.", zip_start: "start.sh must be at the top of the zip file, not in a folder.",
      zip_io: "The package cannot be stored.", team_name: "A name has up to 40 letters, digits, - and _.",
      team_taken: "Another file of the league has this name.", upload_running: "Your team is uploading a package already.", no_link: "There is no team with this link.",
    },
  },
};

const GERMAN = {
  title: "Blokus",
  BLUE: "Blau", YELLOW: "Gelb", RED: "Rot", GREEN: "Grün",
  ONE: "Blau und Rot", TWO: "Gelb und Grün", colorLetters: ["B", "Ge", "R", "Gr"],
  newGame: "Neue Partie", goal: "Bedecke mehr vom Brett als dein Gegner.", open: "Partie ansehen", openHint: `Ein Replay oder eine andere Partie (${FILES}). Du kannst die Datei auch auf diese Seite ziehen.`,
  rules: "Regeln", startPiece: "Erster Stein", drawn: "ausgelost",
  level: (n) => `Stufe ${n}`, people: "Mehrere an diesem Gerät", guest: "Jemand anders, per Link", watch: "Zwei Programmen zuschauen",
  "2027": "Wettbewerb 2027", "2021": "Wettbewerb 2021", classic: "Klassisch, zu zweit", "classic-4": "Klassisch, zu viert",
  start: "Partie starten", recent: "Letzte Partien", position: "Stellung (unsere Notation), optional", clock: "Uhr",
  record: "Deine Partien gegen die Stufen", opponentHead: "Gegner",
  wonGames: "Gewonnen", drawnGames: "Unentsch.", lostGames: "Verloren", eloHelp: "Elo: deine Stärke minus die der Stufe, mit 95-%-Intervall.",
  setUp: "Stellung aufbauen", piecesOf: "Steine von", toMove: "Am Zug", goBack: "Zurück",
  setUpHelp: "Wähle eine Farbe und lege ihre Steine in beliebiger Reihenfolge, jeden an einen erlaubten Platz. Ein Klick auf einen gelegten Stein nimmt ihn vom Brett. Wähle dann, wer am Zug ist.",
  noClock: "Ohne Uhr", minutes: (n) => `${n} Minuten je Team`, seconds: (n) => `${n} s je Zug`,
  yourTurn: (color) => `${color}: Du bist dran`, theirTurn: (color) => `${color} ist dran`, thinking: (color) => `${color} überlegt …`,
  won: (team) => `${team} ${team.includes(" ") ? "haben" : "hat"} gewonnen`, draw: "Unentschieden",
  faults: {
    resigned: (team) => `${team} haben aufgegeben`, late: (team) => `Die Zeit von ${team} ist abgelaufen`, left: (team) => `${team} haben die Partie verlassen`,
    illegal: (team) => `${team} haben einen verbotenen Zug gemacht`,
  },
  serverMessage: (text) => `Meldung des Servers: ${text}`, engineError: (color, text) => `Das Programm von ${color} ist ausgefallen: ${text}`,
  unfinished: "Hier endet die Aufzeichnung", paused: "Pause",
  undo: "Zurücknehmen", redo: "Wiederholen", hint: "Tipp", pass: "Aussetzen", resign: "Aufgeben", moveNow: "Sofort ziehen", pause: "Pause", resume: "Weiter",
  back: "Voriger Zug", forward: "Nächster Zug", toStart: "Zum Anfang", toEnd: "Zum Ende", goOnHere: "Ab hier weiterspielen",
  analyse: "Partie analysieren", stop: "Abbrechen", save: "Speichern als",
  kinds: { html: "Seite", blksgf: "Pentobi", jsonl: "Daten", xml: "Replay", svg: "Zeichnung", png: "Bild" }, share: "Link mit dieser Partie", language: "English",
  marked: "Anzeigen", last: "Letzter Zug", numbers: "Zugnummern", anchors: "Freie Ecken", territory: "Reichweite", letters: "Farbbuchstaben",
  reachOf: (color, cells, sealed, fits) =>
    `${color} kommt noch auf ${cells} ${cells === 1 ? "Feld" : "Felder"}, auf ${sealed} davon als Einzige, mit ${fits} ${fits === 1 ? "Stein" : "Steinen"}`,
  points: "Punkte", pointsOf: (n) => `${n} ${n === 1 ? "Punkt" : "Punkte"}`, out: "raus", moves: "Züge", comment: "Kommentar zu diesem Zug",
  turn: "Drehen (R)", mirror: "Spiegeln (F)", drop: "Zurücklegen (Esc)", place: "Legen (Enter)",
  winProbability: "Gewinnchance", winProbabilityOf: (team) => `Gewinnchance von ${team}`,
  expectedMargin: (team, points) => `Erwarteter Vorsprung von ${team}: ${points} Punkte`, asked: "Das Programm überlegt …", accuracy: "Genauigkeit",
  inaccuracy: "Ungenauigkeit", mistake: "Fehler", blunder: "grober Fehler", marks: "Markiert ?! / ? / ??",
  better: "Besser war", unchecked: "nicht bestätigt", graphHelp: "Gestrichelt: erwarteter Vorsprung (±40 Punkte). Unten: Nummer des Zuges. Ein Klick springt dorthin.",
  scale: "Markiert: mindestens 5, 10 oder 15 Prozentpunkte Gewinnchance verloren, durch eine zweite Suche bestätigt.",
  progress: (done, total) => `${done} von ${total} ${total === 1 ? "Stellung" : "Stellungen"}`,
  noConnection: "Verbindung unterbrochen. Neuer Versuch …", no_service: "Das Brett antwortet nicht. Läuft das Programm board noch?", searchShare: "Anteil der Suche",
  linkHelp: "Mit einem Link spielt man eine Farbe oder beide Farben eines Teams, oder man schaut zu. Gib jeden Link nur der Person, für die er gedacht ist.",
  watchers: "Zuschauer", noMoves: "Noch keine Züge.", noGames: "Noch keine Partien.", noMatch: "Keine Partie passt zum Filter.",
  help: "Nimm einen Stein mit der Maus oder mit Tab und Enter; kleine Kreise zeigen, wo er passt. Mausrad oder R dreht ihn, Rechtsklick oder F spiegelt ihn, die Pfeile schieben ihn, die Leertaste springt zum nächsten erlaubten Platz, Enter legt ihn, Esc legt ihn zurück.",
  helpTouch: "Tippe einen Stein an oder zieh ihn aufs Brett; kleine Kreise zeigen, wo er passt. Auf dem Brett: tippen dreht, halten spiegelt, ziehen schiebt, „Legen“ legt ihn.",
  board: "Spielbrett", pieces: (color) => `Steine von ${color}`, moved: (color, mv) => `${color}: ${mv}`,
  game_over: "Die Partie ist vorbei.", wrong_color: "Eine andere Farbe ist dran.",
  pass_on_first_move: "Im ersten Zug legt jede Farbe einen Stein.", not_start_piece: "Der erste Stein muss der ausgeloste sein.",
  piece_not_left: "Diesen Stein hast du schon gelegt.", out_of_bounds: "Hier ragt der Stein über das Brett hinaus.",
  obstructed: "Ein Feld ist schon belegt.", touches_own_color: "Steine derselben Farbe dürfen sich nicht an einer Seite berühren.",
  not_on_start: "Der erste Stein muss ein Startfeld bedecken.", no_shared_corner: "Der Stein muss einen eigenen an einer Ecke berühren.",
  not_yours: "Diese Farbe spielt jemand anders.", not_allowed: "Das darf nur der Gastgeber.", stale: "Nicht ausgeführt: Die Partie hat sich geändert, vielleicht in einem anderen Fenster.",
  goneOn: "Die Partie ist weitergegangen, vielleicht in einem anderen Fenster. Dein Stein liegt wieder bei den anderen.",
  filterGames: "Partien filtern", gameName: "Name der Partie", editGame: "Umbenennen oder löschen", deleteQuestion: (name) => `${name} löschen? Das lässt sich nicht rückgängig machen.`,
  variation: "Variante", variationName: "Name der Variante", rename: "Umbenennen", promote: "Zur Hauptvariante machen", remove: "Löschen",
  played: "Züge der gespielten Partie lassen sich nicht löschen.",
  here: "Die Partie ist schon in dieser Stellung.", text_too_long: "Der Text ist zu lang.", too_long: "Die Partie hat die Höchstzahl an Zügen, Varianten oder Änderungen erreicht.",
  nothing_to_undo: "Du kannst nichts zurücknehmen.", nothing_to_redo: "Du kannst nichts wiederholen.", time_up: "Die Zeit ist abgelaufen.",
  busy: "Es läuft schon eine Analyse.", no_engine: "Es ist kein Programm am Zug.", no_link: "Zu diesem Link gibt es keine Partie.",
  no_game: "Diese Partie gibt es in diesem Browser nicht. Eine Partie bleibt in dem Browser, der sie gestartet hat.", toFirstPage: "Zur Startseite",
  no_key: "Dieser Adresse fehlt der Schlüssel. Das Programm board zeigt die ganze Adresse beim Start; sie endet mit #key= und dem Schlüssel. Wenn du einen Link zu einer Partie hast, öffne den.", too_large: "Die Datei hat mehr als 8 MiB.", too_slow: "Das Hochladen hat zu lange gedauert.",
  file_empty: "Die Datei ist leer.", file_archive: "Das ist ein ZIP-Archiv. Entpacke es zuerst.", file_no_game: "In der Datei ist keine Partie.", file_too_long: "Eine Partie der Datei hat zu viele Züge und Varianten für das Brett.",
  unreadable: "Das kann der Browser nicht lesen. Ist es ein Ordner?", no_replay: "Von Partien mit diesen Regeln gibt es keine Replays.",
  explained: {
    file: (text) => text, notation: (text) => `Das ist keine Stellung in unserer Notation${quotedText(text)}`,
    no_piece: (text) => `Einige Felder von ${named(text, GERMAN)} bilden keinen Stein.`, piece_twice: (text) => `${named(text, GERMAN)} hat einen Stein zweimal gelegt.`,
    unknown_program: (text) => `Dieses Programm kann hier nicht spielen${quotedText(text)}`, other: (text) => `Das geht nicht${quotedText(text)}`,
  },
  theme: "Aussehen", theme_auto: "Auto", theme_light: "Hell", theme_dark: "Dunkel",
  person: "Mensch an diesem Gerät", left: (n) => `noch ${n}`, held: "Stein in der Hand",
  turnShort: "Drehen", mirrorShort: "Spiegeln", placeShort: "Legen",
  lookingBack: (n) => `Nach ${n} ${n === 1 ? "Zug" : "Zügen"}`, lineShown: (n) => `Zugfolge des Programms, ${n} ${n === 1 ? "Zug" : "Züge"} weiter`,
  live: "Mitrechnen", time: "Zeit je Stellung", pace: "Tempo der Programme",
  perMove: (s) => `${String(s).replace(".", ",")} s je Zug`, paceOf: (s) => `alle ${String(s).replace(".", ",")} s ein Zug`, paceNone: "Ohne Pause",
  seats: "Spieler und Links", players: "Spieler", copyLink: "Link kopieren", copied: "Kopiert", close: "Schließen", cancel: "Abbrechen",
  resignQuestion: (team) => `Für ${team} aufgeben?`, move: "Zug", expected: "Erwartete Zugfolge",
  handAt: (shape, x, y, fits) => `${shape}, Spalte ${x}, Zeile ${y}, ${fits ? "passt" : "passt nicht"}`,
  opponent: "Dein Gegner", more: "Mehr Optionen", chooseFile: "Datei wählen",
  sheetOf: (names) => `Partie ${names}`, keys: "Mit den Pfeiltasten blätterst du durch die Züge.",
  liveGames: "Partien auf dem Spielserver", noServer: (why) => `Das Brett kann die Partien auf dem Spielserver nicht verfolgen: ${why}`, running: "Die Arena spielt gerade", matches: "Wettkämpfe der Arena", matchState: (games, points) =>
    `${String(points).replace(".", ",")} ${points === 1 ? "Punkt" : "Punkte"} aus ${games} ${games === 1 ? "Partie" : "Partien"}`,
  archive: "Die Datenbank der Arena lässt sich nicht lesen, oder die Partie ist nicht mehr darin.",
  disk_full: "Die Festplatte ist voll: Nichts wurde geändert.", database_locked: "Ein anderes Programm hält die Partien gesperrt: Nichts wurde geändert. Versuch es noch einmal.",
  database_damaged: "Die Datei mit den Partien ist beschädigt: Nichts wurde geändert.",
  you: "Du", host: "Gastgeber", someone: "Gast", afterMoves: (n) => (n === 1 ? "nach 1 Zug" : `nach ${n} Zügen`),
  alone: "Diese Seite braucht keinen Server; deine Partien bleiben in diesem Browser. Um an zwei Rechnern oder gegen andere Programme zu spielen, installiere das Programm board.",
  noEngine: (why) => `Das Programm lässt sich nicht laden: ${why}`, not_kept: "Der Browser speichert diese Partie nicht: Sie ist weg, wenn du die Seite schließt.",
  forgetful: "Dieser Browser speichert nichts: Partien sind weg, wenn du die Seite schließt.",
  speed: "Wie schnell rechnet es hier?", speedOf: (n) => `${n} Simulationen pro Sekunde`, searching: (done, total) => `Stellung ${done} von ${total} …`,
  sameMoves: (name) => `Seine Züge stimmen mit der Referenz überein (Fingerabdruck ${name}).`, otherMoves: (name) => `Seine Züge weichen von der Referenz ab (Fingerabdruck ${name}).`,
  tabs: { play: "Partie", analysis: "Analyse", more: "Mehr" }, newShort: "Neu", ok: "OK",
  placed: (color, piece, x, y) => `${color} legt ${piece} auf Spalte ${x}, Zeile ${y}`, passed: (color) => `${color} setzt aus`,
  openedGames: (n) => `Das ist die erste von ${n} Partien (höchstens 20 aus jeder Datei); die anderen stehen auf der Startseite.`,
  cutOff: "Die Aufzeichnung endet vor dem Ende der Partie. Du kannst ab hier weiterspielen.",
  fileRefused: (name, reason) => `${name} lässt sich nicht als Partie lesen${seeLine(reason)} (${reason}). Das Brett liest diese Dateien: ${FILES}.`, linkRefused: "Der Link enthält keine lesbare Partie.",
  usable: (n, all) => `${n} von ${all} Steinen ${n === 1 ? "passt" : "passen"} jetzt`, outNote: "Kein Stein passt mehr", allPlaced: "Alle Steine liegen auf dem Brett",
  firstDrawn: (piece) => `Beginne mit dem Stein ${piece}. Er muss ein markiertes Startfeld bedecken.`,
  firstPiece: "Der erste Stein muss ein markiertes Startfeld bedecken.",
  levelLines: [
    "für die erste Partie: übersieht viel", "übersieht viele Ecken", "sieht die meisten Ecken", "übersieht nur noch wenig",
    "rechnet einen Zug voraus", "probiert 150 Fortsetzungen", "probiert 900 Fortsetzungen", "probiert 6.000 Fortsetzungen", "alles, was das Programm kann",
  ],
  first: "Blau und Rot", second: "Gelb und Grün", me: "Deine Farben", defaultName: "Spieler", yourName: "Dein Name", nameQuestion: "Wie sollen dich die anderen nennen?",
  invite: "Lade deinen Gegner ein", inviteHelp: "Schick diesen Link weiter. Wer ihn öffnet, spielt die beiden anderen Farben.", inviteGuest: "Für deinen Gegner", inviteWatchers: "Für Zuschauer",
  youWon: (points) => (points ? `Du hast ${points} gewonnen` : "Du hast gewonnen"), youLost: (points) => (points ? `Du hast ${points} verloren` : "Du hast verloren"), analyseShort: "Analysieren", again: "Noch einmal", swap: "Seiten tauschen",
  decisive: (team, move, before, after) => `Entscheidend: Zug ${move} hat ${team} am meisten gekostet, ${before} → ${after}`,
  moveOf: (n, color) => `Zug ${n}, ${color}`, fine: "kein Fehler", verdictHelp: "Wähle einen Zug, dann siehst du seine Bewertung.", noAnalysis: "Der Gastgeber hat die Partie nicht analysiert.", watching: "Du schaust bei dieser Partie zu.",
  analysisHelp: "Das Programm durchsucht jede Stellung der Partie, markiert Fehler und zeigt bessere Züge.", betterShort: "besser", tried: "du", gameMove: "gespielt",
  learn: "Lerne aus den Fehlern von", lessonOf: (n, all) => `Fehler ${n} von ${all}`, findBetter: (color) => `${color}: Finde einen besseren Zug`,
  lessonTask: "Finde einen besseren Zug und leg den Stein aufs Brett.",
  lessonHelp: (before, after) => `Mit dem gespielten Zug fiel die Gewinnchance von ${before} auf ${after}.`,
  answers: {
    judging: () => "Das Programm prüft den Zug …", best: () => "Ja, das spielt auch das Programm.", good: (win) => `Gut: ${win}.`, bad: (win) => `Nur ${win}. Versuch einen anderen Zug.`,
    same: () => "Das ist der Zug der Partie. Versuch einen anderen.", unknown: () => "Das Programm hat nicht geantwortet. Versuch es noch einmal.", shown: () => "Das hätte das Programm gespielt.",
  },
  showAnswer: "Lösung zeigen", nextMistake: "Weiter", lessonDone: "Fertig", lessonEnd: "Beenden",
  howTo: "So wird gespielt", understood: "Alles klar",
  rulesOfPlay: [
    ["Zwei Farben je Team", "Ein Team spielt Blau und Rot, das andere Gelb und Grün. Blau beginnt, dann kommen Gelb, Rot, Grün."],
    ["Der erste Stein", "Im Wettbewerb ist er ausgelost und für alle gleich. Er bedeckt ein Feld am Rand (2027) oder eine Ecke (2021 und klassisch)."],
    ["Ecke an Ecke", "Jeder weitere Stein berührt einen der eigenen Farbe an einer Ecke, nie an einer Seite. Andere Farben darf er berühren."],
    ["Drehen und spiegeln", "Mausrad oder R dreht, Rechtsklick oder F spiegelt. Mit dem Finger: tippen dreht, halten spiegelt."],
    ["Das Ende", "Eine Farbe, die keinen Stein mehr legen kann, ist raus. Die Partie endet, wenn alle vier raus sind."],
    ["Die Punkte", "Jedes bedeckte Feld zählt einen Punkt für sein Team; mehr Punkte gewinnen. Legt eine Farbe alle 21 Steine, gibt es 15 Punkte extra, und noch 5, wenn der Einer zuletzt kam."],
  ],
  standings: {
    league: "Liga", none: "Diese Datenbank enthält keine Liga. Starte eine mit arena league ORDNER.", name: "Name", interval: "95-%-Intervall",
    games: "Partien", points: "Punkte", faults: "Vorzeitig verloren", table: "Jeder gegen jeden",
    tableHelp: "Gewonnen, unentschieden, verloren – aus Sicht der Zeile.",
    removed: "Frühere Versionen und entfernte Spieler", gamesOf: (name) => `Partien von ${name}`,
    losses: "Verlorene zuerst. Ein Klick öffnet die Partie auf dem Brett.", lost: "verloren", drawn: "unentschieden", won: "gewonnen",
    ownFault: (kind) => `Vorzeitig verloren: ${kind}`, otherFault: (kind) => `Gegner: ${kind}`, illegal: "verbotener Zug", late: "zu spät",
    left: "Partie verlassen", resigned: "aufgegeben", versions: "Versionen", versionsHelp: "Wertung jeder Version mit 95-%-Intervall.",
    rating: (name, elo) => (elo ? `${name}: Elo ${elo[1]}, von ${elo[0]} bis ${elo[2]}` : `${name}: noch ohne Wertung`),
    uploads: "Links zum Hochladen", uploadsHelp: "Gib jedem Team seinen Link. Wer ihn hat, kann die nächste Version des Teams hochladen.", newTeam: "Neues Team", add: "Hinzufügen",
    uploadFor: (name) => `Abgabe von ${name}`, package: "Abgabe (zip mit start.sh, höchstens 50 MiB)", send: "Hochladen",
    sent: "Gespeichert. Die neue Version spielt in wenigen Sekunden mit.", noVersions: "Noch hat keine Version gespielt.",
    refused: {
      zip_large: "Die Abgabe ist zu groß: erlaubt sind 50 MiB, entpackt 500 MiB, und 10.000 Dateien.", zip_broken: "Die Datei ist keine vollständige zip-Datei.",
      zip_path: "Die Abgabe enthält einen Link oder eine Datei außerhalb ihres Ordners.", zip_start: "start.sh muss direkt in der zip-Datei liegen, nicht in einem Unterordner.",
      zip_io: "Die Abgabe kann nicht gespeichert werden.", team_name: "Ein Name hat bis zu 40 Buchstaben, Ziffern, - und _.",
      team_taken: "Eine andere Datei der Liga heißt schon so.", upload_running: "Euer Team lädt gerade schon eine Abgabe hoch.", no_link: "Zu diesem Link gibt es kein Team.",
    },
  },
};

// Without storage, the address has the choice.
const language = kept("language") ?? new URLSearchParams(location.search).get("language") ?? (navigator.language.startsWith("de") ? "de" : "en");
document.documentElement.lang = language;

export const words = language === "de" ? GERMAN : ENGLISH;

/** Returns the player of a colour; empty for a person on the host's device. */
export const seatName = (seat) =>
  ({ person: () => "", guest: () => words.guest, level: () => words.level(seat.level), program: () => seat.name })[seat.kind]();

/** Returns the player of a colour as seen by the host (`host`), a watcher (`watch`) or a guest (letters of colours). */
function seenName(seat, color, { role, allPersons }) {
  if (seat.kind === "person") return role === "host" ? (allPersons ? "" : words.you) : allPersons ? "" : words.host;
  if (seat.kind === "guest") return role !== "host" && role.includes(color[0]) ? words.you : words.someone;
  return seatName(seat);
}

/** Returns the name of a team, or else the players of its colours. Saved games call levels `level6`. */
export const nameOf = (name, seats, viewer = null) => {
  const names = seats.map((seat, i) => (viewer ? seenName(seat, viewer.colors[i], viewer) : seatName(seat)));
  return name.replace(/^level([1-9])$/, (_, n) => words.level(n)) || [...new Set(names)].filter(Boolean).join(", ");
};

/** Returns the name of a piece for people: the letter of a pentomino. */
export const pieceName = (name) => name.replace(/^PENTO_/, "");

/** Returns the text of a refusal in the language of the page. */
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

/** Marks as in chess: legible without colours. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Returns a number with a sign. */
export const signed = (x, digits = 0) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(digits).replace(".", language === "de" ? "," : ".");
export const percent = (x) => `${Math.round(100 * x)}\u00A0%`;
