package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.cert.CertificateParsingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which hosts a certificate covers (RFC 9525 section 6.3). */
class CertificateNamesTest {
    private static final Issued ISSUED = Issued.self(
            Issued.EC, "Example.com", "*.shop.example.com", "*", "w*.example.org", "ip:127.0.0.1", "ip:2001:db8::1");

    @ParameterizedTest
    @CsvSource({
        "example.com, true",
        "EXAMPLE.com, true",
        "example.com., true",
        "www.example.com, false",
        "a.shop.example.com, true",
        "A.Shop.Example.COM, true",
        "shop.example.com, false",
        "a.b.shop.example.com, false",
        ".shop.example.com, false",
        "anything, false",
        "www.example.org, false",
        "'', false",
        ".,  false",
        "127.0.0.1, true",
        "127.0.0.2, false",
        "127.1, false",
        "2001:db8::1, true",
        "[2001:db8::1], true",
        "[2001:DB8:0:0::1], true",
        "[2001:db8::2], false",
        "[example.com], true",
        ":, false",
        "[], false",
    })
    void aCertificateCoversOnlyHostsThatMatchItsNames(String host, boolean covered) throws CertificateParsingException {
        assertEquals(covered, CertificateNames.of(ISSUED.certificate()).covers(host));
    }

    @Test
    void theCommonNameOfACertificateIsIgnored() throws CertificateParsingException {
        CertificateNames names = CertificateNames.of(Issued.self(Issued.EC).certificate());
        assertEquals(CertificateNames.NONE, names);
        assertEquals("no name", names.toString());
    }

    @Test
    void exactNamesAreShownBeforeWildcardsAndAddresses() throws CertificateParsingException {
        Issued some = Issued.self(Issued.EC, "b.example", "*.a.example", "a.example", "ip:::1");
        assertEquals(
                "a.example, b.example, *.a.example, 0:0:0:0:0:0:0:1",
                CertificateNames.of(some.certificate()).toString());
    }
}
