# Der Shop in Seiten anderer.

widget-close = Schließen
widget-loading = Einen Moment …
widget-refused = Die Karten können in dieser Seite nicht angezeigt werden.
widget-window = In einem neuen Fenster öffnen

error-token = Auf dieser Seite können keine Karten verkauft werden
error-token-hint = Die Seite nennt ihren Verkäufer mit einem Token, das dieser Shop nicht kennt oder das zurückgenommen wurde. Wer die Seite betreibt, bekommt vom Verkäufer ein neues.
error-shop-closed = Dieser Shop ist gerade geschlossen
error-shop-closed-hint = Der Verkäufer verkauft im Moment nicht an Gäste. Bestellungen, die es gibt, bleiben, wie sie sind.
