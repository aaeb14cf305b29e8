# Der Laden auf anderen Seiten, und was er von einem Partner sagt.

console-widgets = Andere Seiten
widgets-hint = Ein Baustein, der Ihre Karten auf jeder Seite verkauft.
widgets-origins = Welche Seiten den Laden einbetten dürfen
widgets-empty = Noch keiner.
widgets-all = Alles, was Sie verkaufen
widgets-snippet = Für Ihre Seite
widgets-snippet-hint = Setzen Sie das dorthin, wo die Karten erscheinen sollen. Es braucht keine Cookies und kein eigenes Programm.
widgets-remove = Zurücknehmen
widgets-remove-hint = Seiten damit verkaufen sofort nichts mehr. Bestellungen bleiben.
new-widget = Neuer Baustein
widgets-event = Was er verkauft
shop-face = Was Käufer lesen und sehen
face-about = Über Sie
face-about-hint = Über Ihren Veranstaltungen.
face-email = E-Mail für Käufer
face-phone = Telefon für Käufer
face-accent = Farbe
face-accent-hint = Von Knöpfen und Links, etwa #1f6f6b. Sie wird dunkler oder heller, bis man sie lesen kann.
face-terms = Ihre Bedingungen
face-terms-hint = Wer kauft, nimmt sie an.
shop-origins = Seiten, die den Laden einbetten dürfen
shop-origins-hint = Eine Adresse je Zeile.

# Was eine Veranstaltung von Käufern wissen will
asking = Was Käufer gefragt werden
asking-hint = Bevor sie zahlen. Beim Verkauf vor Ort wird nichts gefragt.
asking-name = Name
asking-phone = Telefon
asking-optional = Dürfen sie angeben
asking-required = Müssen sie angeben
asking-hidden = Wird nicht gefragt
asking-names-until = Namen auf Karten änderbar bis
asking-names-until-hint = Gar nicht, wenn leer.
asking-question = Frage { $name }
asking-text = Was gefragt wird
asking-kind = Antwort
asking-kind-text = Eine Zeile Text
asking-kind-choice = Eines von mehreren
asking-kind-yes-no = Ja oder nein
asking-per = Gefragt wird
asking-per-order = Einmal je Bestellung
asking-per-ticket = Für jede Karte
asking-options = Was zur Wahl steht, eines je Zeile
asking-must = Muss beantwortet werden
