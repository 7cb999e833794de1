//! Currencies and the number of decimal places their amounts have.

use std::fmt;

/// The supported crypto currencies and their decimal places. Currencies with so many places that
/// everyday amounts exceed 64 bits are missing.
const CRYPTO: [(&str, u8); 3] = [("BCH", 8), ("BTC", 8), ("LTC", 8)];

/// An ISO 4217 currency with minor units, or a supported crypto currency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency {
    code: [u8; 3],
    scale: u8,
}

/// The code is not one of a currency that amounts can be given in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the code of a currency that amounts can be given in")]
pub struct UnknownCurrency;

impl Currency {
    /// Finds a currency by its three-letter code, upper case only.
    ///
    /// Codes without minor units (precious metals, test codes) are refused: an amount in them
    /// cannot be written.
    pub fn parse(code: &str) -> Result<Self, UnknownCurrency> {
        let asset = CRYPTO.iter().find(|(name, _)| *name == code);
        let scale = match asset {
            Some((_, places)) => Some(*places),
            None => iso_currency::Currency::from_code(code)
                .and_then(iso_currency::Currency::exponent)
                .and_then(|places| u8::try_from(places).ok()),
        };
        let code = <[u8; 3]>::try_from(code.as_bytes()).map_err(|_| UnknownCurrency)?;
        Ok(Self {
            code,
            scale: scale.ok_or(UnknownCurrency)?,
        })
    }

    /// The three-letter code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or_default()
    }

    /// The number of decimal places of an amount.
    pub const fn scale(&self) -> u8 {
        self.scale
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.code(), self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The currencies whose scale is not two, copied by hand from the standards to check the table
    /// of the dependency.
    const UNUSUAL: [(u8, &str); 4] = [
        (
            0,
            "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        ),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
        (8, "BCH BTC LTC"),
    ];

    #[test]
    fn scales_follow_the_standard() {
        for (scale, codes) in UNUSUAL {
            for code in codes.split(' ') {
                assert_eq!(
                    Currency::parse(code).map(|c| c.scale()),
                    Ok(scale),
                    "{code}"
                );
            }
        }
        for code in ["USD", "EUR", "GBP", "UAH", "PLN", "CHF"] {
            assert_eq!(Currency::parse(code).map(|c| c.scale()), Ok(2), "{code}");
        }
    }

    #[test]
    fn unknown_codes_are_refused() {
        for code in ["", "usd", "US", "USDX", "XXX", "XAU", "ZZZ", "btc", "€UR"] {
            assert_eq!(Currency::parse(code), Err(UnknownCurrency), "{code}");
        }
    }
}
