//! Flags of the pages that people buy on.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use kassa_web::{Currency, OperatorTexts, ShopSettings};

use crate::error::Fatal;

/// Flags of the pages that people buy on.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShopArguments {
    /// What the shop is called on its pages.
    #[arg(long = "shop-name", env = "KASSA_SHOP_NAME", value_name = "NAME", default_value = "Kassa")]
    name: String,
    /// The currency of all amounts, by its code (ISO 4217), such as EUR. Pages show amounts without one if none is given.
    #[arg(long, env = "KASSA_CURRENCY", value_name = "CODE")]
    pub(crate) currency: Option<Currency>,
    /// A folder with the texts of the imprint, the terms and the accessibility statement: imprint.txt, terms.txt and
    /// accessibility.txt, or one for each language: imprint.en.txt, imprint.de.txt, imprint.ru.txt. Empty lines separate
    /// paragraphs; one that begins with # is a heading. Read once, at the start.
    #[arg(long = "shop-texts", env = "KASSA_SHOP_TEXTS", value_name = "FOLDER")]
    texts: Option<PathBuf>,
}

impl ShopArguments {
    /// How pages are made.
    pub(crate) fn settings(self) -> Result<ShopSettings, Fatal> {
        let operator_texts = self.texts.as_deref().map(read_texts).transpose()?.unwrap_or_default();
        Ok(ShopSettings { name: self.name, currency: self.currency, operator_texts, ..ShopSettings::default() })
    }
}

/// The texts in a folder. Every file in it must be one.
fn read_texts(folder: &Path) -> Result<OperatorTexts, Fatal> {
    let failed = |path: &Path, error: &dyn std::error::Error| format!("--shop-texts: {}: {error}", path.display());
    let mut texts = OperatorTexts::default();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let path = entry.map_err(|error| failed(folder, &error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let contents = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
        texts.add(&name, &contents).map_err(|error| failed(folder, &error))?;
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_texts_has_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("imprint.txt"), "Harbour Tickets Ltd").unwrap();
        let mut expected = OperatorTexts::default();
        expected.add("imprint.txt", "Harbour Tickets Ltd").unwrap();
        assert_eq!(read_texts(folder.path()).unwrap(), expected);
        fs::write(folder.path().join("imprnt.txt"), "").unwrap();
        let error = read_texts(folder.path()).unwrap_err().to_string();
        assert!(error.contains("imprnt.txt: must be imprint, terms or accessibility"), "{error}");
        assert!(read_texts(Path::new("/nowhere/at/all")).is_err());
    }
}
