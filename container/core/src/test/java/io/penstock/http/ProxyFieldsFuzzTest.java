package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.address.IpLiteral;
import io.penstock.address.Network;
import java.net.InetAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for the fields {@code X-Forwarded-*} and {@code Forwarded}. If a trusted proxy appends values to a random text, the server must
 * use only the appended values. If the field contains only the random text, the resulting client and host must be well formed. The server
 * may also refuse the request.
 */
class ProxyFieldsFuzzTest {
    private static final Network NETWORK = Network.parse("10.0.0.0/8");
    private static final Predicate<InetAddress> TRUSTED = NETWORK::contains;
    private static final String ELEMENT = "for=\"[2001:db8::1]:4711\";proto=https;host=\"site.example:8443\"";

    private static FieldList fields(String... namesAndValues) {
        FieldList fields = new FieldList();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(namesAndValues[i], namesAndValues[i + 1].strip());
        }
        return fields;
    }

    /** Returns null if the fields are refused, or if they contain no value. */
    private static @Nullable Forwarding read(Forwarding.Reader reader, FieldList fields) {
        try {
            return reader.read(fields, TRUSTED);
        } catch (Violation refused) {
            assertEquals(400, refused.status());
            return null;
        }
    }

    @FuzzTest
    void onlyValuesOfTheTrustedProxyAreUsed(byte[] data) {
        String text = FuzzedText.fieldValue(data);
        for (String before : new String[] {text, text + ", 10.0.0.1"}) {
            Forwarding behind = read(XForwardedFields::read, fields("X-Forwarded-For", before + ",192.0.2.1:80"));
            assertNotNull(behind);
            assertEquals(new ForwardedNode("192.0.2.1", IpLiteral.read("192.0.2.1"), 80), behind.client());
        }
        Forwarding apart = read(ForwardedField::read, fields("Forwarded", text, "forwarded", ELEMENT));
        assertNotNull(apart);
        assertTrue(hasTheValuesOfElement(apart), apart.toString());
        Forwarding behind = read(ForwardedField::read, fields("Forwarded", text + "," + ELEMENT));
        assertTrue(behind == null || hasTheValuesOfElement(behind), String.valueOf(behind));
    }

    private static boolean hasTheValuesOfElement(Forwarding forwarding) {
        ForwardedNode client = forwarding.client();
        return client != null
                && client.port() == 4711
                && client.name().equals("2001:db8:0:0:0:0:0:1")
                && forwarding.scheme() == Forwarding.Scheme.HTTPS
                && "site.example:8443".equals(forwarding.host());
    }

    @FuzzTest
    void theClientAndTheHostAreWellFormed(byte[] data) {
        String text = FuzzedText.fieldValue(data);
        check(read(ForwardedField::read, fields("Forwarded", text)));
        check(read(ForwardedField::read, fields("Forwarded", "for=" + text)));
        check(read(
                XForwardedFields::read,
                fields("X-Forwarded-For", text, "X-Forwarded-Host", text, "X-Forwarded-Port", "80")));
        check(read(XForwardedFields::read, fields("X-Forwarded-Host", text)));
    }

    private static void check(@Nullable Forwarding forwarding) {
        if (forwarding == null) {
            return;
        }
        ForwardedNode client = forwarding.client();
        if (client != null) {
            InetAddress address = client.address();
            assertEquals(address, IpLiteral.read(client.name()));
            assertTrue(
                    address != null
                            || client.name().equals("unknown")
                            || client.name().startsWith("_"),
                    client.name());
            assertTrue(client.port() >= 0 && client.port() <= 65535);
        }
        String host = forwarding.authority("site.example");
        assertTrue(host == null || HostSyntax.isAuthority(host), host);
    }
}
