//! The shop of a partner: where people buy, and how they pay.

use std::fmt::Display;
use std::str::FromStr;

use kassa_domain::Patch;
use kassa_domain::hex;
use kassa_domain::partner::{
    Color, MalformedWebOrigin, PaymentProvider, SHOP_ORIGINS_MAX, Shop, ShopPatch, TRANSFER_DAYS_MAX, TransferAccount,
    WebOrigin,
};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{BoundedNumber, Flag, FromJson, Input, LineText, List, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::wire::{PAYMENT_PROVIDERS, PaymentProviderInput, wire_form};

/// How long transfers may take where nobody says.
const DAYS_DEFAULT: u32 = 7;

wire_form! {
    /// The shop of a partner: where people buy, and how they pay.
    #[derive(Debug)]
    #[schema(as = Shop)]
    pub(super) struct ShopBody {
        /// Whether anybody can order there.
        open: bool,
        #[schema(schema_with = payments_schema)]
        payments: Vec<&'static str>,
        /// The colour of buttons and links, as `#rrggbb`; `null` for the usual one.
        accent: Option<String>,
        /// Where transfers go; `null` if that is not said. Others than the partner see `null`.
        transfer: Option<TransferBody>,
        /// The sites whose pages may have the shop in a frame.
        #[schema(example = json!(["https://www.example.org"]))]
        origins: Vec<String>,
    }
}

wire_form! {
    /// The bank account to which transfers go.
    #[derive(Debug)]
    #[schema(as = TransferAccount)]
    pub(super) struct TransferBody {
        /// Its number.
        #[schema(example = "DE02120300000000202051")]
        iban: String,
        /// Whose it is, as its bank knows them.
        #[schema(example = "Club Nord e.V.")]
        holder: String,
        /// Its bank; `null` if that is not said.
        #[schema(example = "BYLADEM1001")]
        bic: Option<String>,
        /// Within how many days of the order the money has to come.
        #[schema(example = 7)]
        days: u32,
    }
}

fn payments_schema() -> RefOr<Schema> {
    let about = "How orders can be paid, in the order in which it is offered: `TRANSFER` to a bank account, at the `DOOR`, \
                 on a page of `STRIPE`, or not at all, as a `TEST`.";
    schema::list(PAYMENT_PROVIDERS.schema()).description(Some(about)).into()
}

impl From<&Shop> for ShopBody {
    fn from(shop: &Shop) -> Self {
        Self {
            open: shop.is_open,
            payments: shop.payments.iter().map(|provider| PAYMENT_PROVIDERS.name(*provider)).collect(),
            accent: shop.accent.map(|Color(rgb)| format!("#{}", hex::encode(&rgb))),
            transfer: shop.transfer.as_ref().map(|account| TransferBody {
                iban: account.iban.to_string(),
                holder: account.holder.clone(),
                bic: account.bic.as_ref().map(ToString::to_string),
                days: account.days,
            }),
            origins: shop.origins.iter().map(ToString::to_string).collect(),
        }
    }
}

impl ShopBody {
    /// As others see it: its account is for those who pay.
    pub(super) fn public(shop: &Shop) -> Self {
        Self { transfer: None, ..Self::from(shop) }
    }
}

fields! {
    struct ShopFields {
        /// Whether anybody can order there; `false` until it is set.
        open: Input<Flag>,
        /// How orders can be paid, in the order in which it is offered, each once.
        payments: Input<List<PaymentProviderInput, 8>>,
        /// The colour of buttons and links, as `#rrggbb`; `null` for the usual one.
        accent: Input<LineText<7>>,
        /// Where transfers go: `TRANSFER` is offered as soon as that is said. `null` forgets it.
        transfer: Input<TransferInput>,
        /// The sites whose pages may have the shop in a frame, each once: `https://www.example.org`.
        origins: Input<List<LineText<300>, SHOP_ORIGINS_MAX>>,
    }
}

fields! {
    struct TransferFields {
        /// The number of the account.
        iban: Input<LineText<50>>,
        /// Whose it is, as its bank knows them; up to 70 characters.
        holder: Input<LineText<70>>,
        /// The code of its bank.
        bic: Input<LineText<50>>,
        /// Within how many days of the order the money has to come; 7 by default.
        days: Input<BoundedNumber<TRANSFER_DAYS_MAX, 1>>,
    }
}

/// `{iban, holder, bic, days}` in a request: all of it at once.
#[derive(Debug)]
struct TransferInput(TransferAccount);

impl FromJson for TransferInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: TransferFields = parse_object(json)?;
        let mut problems = Problems::default();
        let iban = parsed("iban", fields.iban.required("iban", &mut problems), &mut problems);
        let holder = fields.holder.required("holder", &mut problems);
        let bic = parsed("bic", fields.bic.optional("bic", &mut problems), &mut problems);
        let days = fields.days.optional("days", &mut problems).map_or(DAYS_DEFAULT, |days| days.0);
        let account = iban.zip(holder).map(|(iban, holder)| TransferAccount { iban, holder: holder.0, bic, days });
        match account {
            Some(account) => problems.into_result(Self(account)),
            None => Err(problems.into_details()),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        TransferFields::schema()
    }
}

/// A text that is to be one of these; what is wrong with another is noted.
fn parsed<T: FromStr<Err: Display>>(name: &str, text: Option<LineText<50>>, problems: &mut Problems) -> Option<T> {
    text.and_then(|text| text.0.parse().inspect_err(|error: &T::Err| problems.add(name, error.to_string())).ok())
}

/// `{open, payments, accent, transfer, origins}` in a request.
#[derive(Debug)]
pub(super) struct ShopInput(pub(super) ShopPatch);

impl FromJson for ShopInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: ShopFields = parse_object(json)?;
        let mut problems = Problems::default();
        let payments = fields.payments.patch("payments", &mut problems).map(|list| {
            let mut providers: Vec<PaymentProvider> = Vec::new();
            for PaymentProviderInput(provider) in list.0 {
                if !providers.contains(&provider) {
                    providers.push(provider);
                }
            }
            providers
        });
        let accent = match fields.accent.patch("accent", &mut problems) {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(text) => {
                if let Some(color) = color(&text.0) {
                    Patch::Set(color)
                } else {
                    problems.add("accent", "must be a colour as #rrggbb");
                    Patch::Keep
                }
            }
        };
        let is_open = fields.open.patch("open", &mut problems).map(|flag| flag.0);
        let transfer = fields.transfer.patch("transfer", &mut problems).map(|account| account.0);
        let origins = fields.origins.patch("origins", &mut problems).map(|list| {
            let mut origins: Vec<WebOrigin> = Vec::new();
            for LineText(text) in list.0 {
                match text.parse() {
                    Ok(origin) if origins.contains(&origin) => {}
                    Ok(origin) => origins.push(origin),
                    Err(error @ MalformedWebOrigin) => problems.add("origins", error.to_string()),
                }
            }
            origins
        });
        problems.into_result(Self(ShopPatch { is_open, payments, accent, transfer, origins }))
    }

    fn json_schema() -> RefOr<Schema> {
        ShopFields::schema()
    }
}

fn color(text: &str) -> Option<Color> {
    hex::decode(text.strip_prefix('#')?)?.try_into().ok().map(Color)
}
