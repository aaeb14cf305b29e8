# Veranstaltungen in der Konsole: Gutscheincodes, Aktionen, Karten und Plätze.

# Gutscheincodes
promocodes-count-all = { $count ->
    [one] { $count } Gutscheincode
   *[other] { $count } Gutscheincodes
}
promocode-name = Wofür er ist
promocode-over = Vorbei
promocode-used-up = Aufgebraucht
promocode-coming = Noch nicht
promocode-valid = Gilt
promocode-stays = Was er bewirkt
promocode-max = Karten der Bestellung, höchstens
promocode-reserved = Jetzt von Bestellungen gehalten
promocode-from = Ab wann
promocode-from-hint = Seit er angelegt wurde, wenn leer.
promocode-until-hint = Unbegrenzt, wenn leer.
promocode-end = Jetzt beenden
promocode-end-hint = Keine Bestellung kann ihn mehr neu nutzen; wer ihn hat, behält ihn. Mit einem anderen Ende oben gilt er wieder.
own-notes = Eigene Notizen
own-notes-hint = Käufer sehen es nicht.
own-notes-text = Notizen
sets-all = Für alle Karten
and-more = { $name } weitere

# Aktionen
promotions = Aktionen
promotion = Aktion
promotions-hint = Sie brauchen keinen Code: Je mehr eine Bestellung hält, desto mehr Rabatt. Solange eine läuft, kann kein Gutscheincode dazukommen.
promotions-empty = Noch keine.
promotions-current = Geltende
promotions-all = Auch beendete
new-promotion = Neue Aktion
promotion-runs = Läuft
promotion-coming = Noch nicht
promotion-over = Vorbei
promotion-removed = Von Hand beendet
promotion-was = Sie wurde beendet. Bestellungen, die sie hatten, behalten sie.
promotion-when = Wann
promotion-level-count = ab { $from } Karten: −{ $value }
promotion-level-sum = ab { $from }: −{ $value }
promotion-levels = Was sie billiger macht
promotion-levels-hint = Die höchste Stufe, die eine Bestellung erreicht, gilt für jede ihrer Karten. Jede beginnt über der vorigen.
promotion-by = Stufen erreicht man durch
promotion-by-count = Die Zahl der Karten
promotion-by-sum = Die Summe ihrer Preise
promotion-kind = Rabatt
promotion-level = Stufe { $name }
promotion-from = Ab wie viel
promotion-start = Beginn
promotion-start-hint = Sofort, wenn leer.
promotion-finish = Ende
promotion-finish-hint = Bis Sie sie beenden, wenn leer.
promotion-sets-hint = Diese zählen und werden billiger. Alle, wenn keine gewählt ist.
promotion-end = Jetzt beenden
promotion-end-hint = Neue Bestellungen erhalten sofort keinen Rabatt mehr; wer ihn hat, behält ihn. Eine beendete Aktion kommt nicht zurück: Legen Sie eine neue an.
since-time = ab { $name }
until-time = bis { $name }
times-of = Zeiten von { $name }.
done-ended = Beendet.
denied-promotion-overlap = Zu dieser Zeit läuft für eine dieser Kategorien schon eine andere Aktion.
denied-promotion-levels = Jede Stufe muss über der vorigen beginnen, mit einer ganzen Zahl von Karten oder einem Betrag, und 0 bis 100 Prozent oder einen Betrag nachlassen.
denied-too-many = Das sind zu viele.

# Karten
tickets-one-by-one = Einzeln
all-tickets = Alle Karten
tickets-all = Alle
tickets-search = Nummer oder Barcode
tickets-empty = Hier ist keine Karte
tickets-empty-hint = Karten kommen mit Kategorien: Legen Sie zuerst eine an.
tickets-count = { $count ->
    [one] { $count } Karte
   *[other] { $count } Karten
}
choose-ticket = Wählen
ticket-number = Nummer
ticket-called = Karte { $name }
ticket-vacant = Frei
ticket-reserved = Von einer Bestellung gehalten
ticket-sold = Verkauft
ticket-blocked = Zurückgehalten
ticket-seat = Platz
ticket-order = Ihre Bestellung suchen
seat-or-set = Platz oder Kategorie
block-do = Zurückhalten
free-do = Wieder verkaufen
block-hint = Was zurückgehalten ist, kann niemand kaufen, bis Sie es wieder verkaufen.
hold-back-hint = Zurückgehaltene Karten kann niemand kaufen. Eine kleinere Zahl gibt die übrigen wieder in den Verkauf.
hold-back-count = Zurückgehalten von { $name }
hold-back-do = So viele zurückhalten
denied-ticket-taken = Einige davon sind verkauft oder von einer Bestellung gehalten.

# Plätze
seats = Plätze und Preise
seats-hint = Wählen Sie Reihen oder Plätze, dann halten Sie sie zurück oder geben ihnen einen Preis.
seats-map = Saalplan
seats-map-hint = Der Ort hat Säle mit nummerierten Plätzen. Eine Veranstaltung, die einen nimmt, verkauft danach.
seats-map-use = Nach diesem Saal verkaufen
seats-empty = Keine nummerierten Plätze
seats-empty-hint = Plätze kommen aus dem Saalplan des Ortes, den Programme zeichnen, bis es den Editor gibt.
seats-unpriced = Noch kein Preis
seats-counts = { $free } frei, { $held } zurückgehalten, { $taken } vergeben
seats-do = Gewählte Plätze
seats-choose-hint = Wählen Sie Plätze der offenen Reihen, oder ganze Reihen.
seats-give = Der Preis von
seats-give-do = Diesen Preis geben
seats-price = Oder ein eigener Preis
seats-price-do = Anlegen und ihnen geben
seat-held = zurückgehalten
whole-row = Ganze Reihe
paint-rows = Ganze Reihen wählen
paint-seats = Zeichnend wählen
paint-help = Zeichnen wählt jeden Platz oder jede Reihe, über die Sie fahren, und nimmt Gewähltes zurück, wenn es dort begann. Sonst bewegt dieselbe Geste das Bild.
denied-set-busy = Plätze dieser Kategorie ziehen gerade um. Versuchen Sie es gleich noch einmal.
denied-seat-taken = Einige dieser Plätze hat inzwischen eine andere Kategorie.
denied-seats-not-on-map = Einige dieser Plätze hat der Saalplan nicht.
denied-seats-not-chosen = Wählen Sie zuerst Reihen oder Plätze.
denied-seats-without-price = Plätze ohne Preis sind nicht im Verkauf: Geben Sie ihnen zuerst einen.
denied-set-not-chosen = Wählen Sie, wessen Preis sie bekommen.
denied-other-sector = Eine Kategorie ist in einem Teil des Saals. Geben Sie diesen Plätzen einen eigenen Preis.
denied-seats-fixed = Verkaufte, gehaltene und zurückgehaltene Plätze behalten ihren Preis. Geben Sie zurückgehaltene zuerst in den Verkauf.

# Orte, und was entfernt ist
console-venues = Orte
venues-hint = Wo Ihre Veranstaltungen sind. Alle Veranstalter dürfen sie nutzen; nur Sie ändern sie.
venues-empty = Hier ist kein Ort
venues-empty-hint = Eine Veranstaltung legt ihren Ort an, oder Sie tun es hier.
new-venue = Neuer Ort
venue-desc = Über den Ort
venue-desc-hint = Käufer lesen es bei der Veranstaltung.
venue-latitude = Geografische Breite
venue-longitude = Geografische Länge
venue-point-hint = In Grad, etwa 59,94 und 30,31: wo Stadtpläne ihn zeigen.
venue-remove = Ort entfernen
venue-remove-hint = Neue Veranstaltungen können ihn nicht mehr wählen, und Entwürfe mit ihm brauchen einen anderen. Solange dort etwas im Verkauf ist, bleibt er. Sie können ihn zurückholen.
venue-restore-hint = Sonst sieht niemand diesen Ort. Holen Sie ihn zurück, und Veranstaltungen können ihn wieder haben.
also-removed = Auch entfernte
is-removed = Entfernt
restore = Zurückholen
events-removed = Auch entfernte
remove-event = Veranstaltung entfernen
remove-event-what = { $name } verschwindet aus allen Listen.
remove-event-hint = Nur Sie sehen sie dann noch. Das geht nur, solange keine Karte davon gehalten oder verkauft ist: Was Verkäufe hat, wird stattdessen abgesagt. Sie können sie zurückholen.
event-restore-hint = Die Veranstaltung ist entfernt: Sonst sieht sie niemand, und nichts wird verkauft.
done-removed = Entfernt.
done-restored = Wieder da.
denied-venue-in-use = Dort findet etwas statt, das im Verkauf ist oder Karten verkauft hat.
denied-venue-gone = Der Ort der Veranstaltung ist entfernt: Wählen Sie einen anderen.
wrong-degrees = Hier gehören Grad hin, etwa 59,94; beide oder keine.

# Pictures
denied-picture-pixels = Das Bild ist zu groß: höchstens 30 Millionen Pixel, und 16.384 an einer Seite.
