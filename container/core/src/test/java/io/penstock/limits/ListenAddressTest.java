package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.ListenAddress.BindAddress;
import java.net.InetAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests valid configurations of listeners. {@link BadConfigurationTest} tests invalid configurations. */
class ListenAddressTest {
    private static ServerConfig config(String... keysAndValues) {
        ConfigurationSources sources = new ConfigurationSources();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            sources.flag(keysAndValues[i], keysAndValues[i + 1], new Origin.Flag("--" + keysAndValues[i]));
        }
        return ServerConfig.of(sources.resolve());
    }

    private static List<ListenAddress> addresses(String... keysAndValues) {
        return config(keysAndValues).listen().addresses();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        http://127.0.0.1:8080  | 127.0.0.1      | 8080 | http://127.0.0.1:8080
        http://localhost       | localhost      | 80   | http://localhost:80
        https://example.org    | example.org    | 443  | https://example.org:443
        https://:8443          | 0.0.0.0        | 8443 | https://0.0.0.0:8443
        http://:0/             | 0.0.0.0        | 0    | http://0.0.0.0:0
        http://[::1]:8080      | ::1            | 8080 | http://[::1]:8080
        http://[::]            | ::             | 80   | http://[::]:80
        http://[fe80::1%lo]:1  | fe80::1%lo     | 1    | http://[fe80::1%lo]:1
        """)
    void networkAddressesAreParsed(String url, String host, int port, String shown) {
        ListenAddress address =
                addresses("listen", url, "tls-self-signed", "on").get(0);
        assertEquals(new BindAddress.Network(host, port), address.bindAddress());
        assertEquals(url.startsWith("https") ? Switch.ON : Switch.OFF, address.tls());
        assertEquals(shown, address.url());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        unix:/run/a.sock           | /run/a.sock  | rw-rw----
        unix:/run/a.sock?mode=600  | /run/a.sock  | rw-------
        unix:/run/a.sock?mode=0666 | /run/a.sock  | rw-rw-rw-
        unix:/run/a.sock?mode=751  | /run/a.sock  | rwxr-x--x
        unix:///run/a.sock         | /run/a.sock  | rw-rw----
        unix:a folder/a b          | a folder/a b | rw-rw----
        """)
    void addressesOfUnixDomainSocketsAreParsedWithTheirMode(String url, String file, String mode) {
        assertEquals(
                List.of(new ListenAddress(
                        new BindAddress.UnixSocket(Path.of(file), PosixFilePermissions.fromString(mode)),
                        Switch.OFF,
                        Switch.OFF)),
                addresses("listen", url));
    }

    @Test
    void severalAddressesKeepTheirOrder() {
        assertEquals(
                List.of("http://127.0.0.1:8080", "https://0.0.0.0:8443", "unix:/run/a", "inherited:"),
                addresses(
                                "listen",
                                " http://127.0.0.1:8080, https://:8443 ,unix:/run/a,inherited:?tls=on",
                                "tls-self-signed",
                                "on")
                        .stream()
                        .map(ListenAddress::url)
                        .toList());
        assertEquals(2, addresses("listen", "http://a:0,http://a:0").size(), "port 0 can be configured twice");
    }

    /** The key {@code proxy-protocol} applies to all listeners whose address has no {@code proxy-protocol} parameter. */
    @Test
    void eachListenerCanSwitchTheProxyProtocolOnOrOff() {
        String both = "http://a:1,http://a:2?proxy-protocol=on,http://a:3?proxy-protocol=off";
        assertEquals(List.of(Switch.OFF, Switch.ON, Switch.OFF), protocols("off", both));
        assertEquals(List.of(Switch.ON, Switch.ON, Switch.OFF), protocols("on", both));
    }

    private static List<Switch> protocols(String key, String listen) {
        return addresses("listen", listen, "proxy-protocol", key, "trusted-proxies", "10.0.0.1").stream()
                .map(ListenAddress::proxyProtocol)
                .toList();
    }

    @Test
    void theKeysHostAndPortAreAnAlternativeToTheKeyListen() {
        assertEquals(
                List.of(new ListenAddress(new BindAddress.Network("::1", 1), Switch.ON, Switch.OFF)),
                addresses("host", "::1", "port", "1", "tls-self-signed", "on"));
        assertEquals(
                "listen is used in place of host and port, but port is set, too, from --port (from --listen)",
                assertThrows(ConfigurationException.class, () -> addresses("listen", "http://:1", "port", "1"))
                        .getMessage());
        assertEquals(
                "listen is used in place of host and port, but host is set, too, from --host (from --listen)",
                assertThrows(ConfigurationException.class, () -> addresses("listen", "http://:1", "host", "a"))
                        .getMessage());
    }

    @Test
    void theRedirectPortRequiresAListenerWithTls() {
        Https https = config("listen", "http://a:1,https://b:2", "tls-self-signed", "on", "redirect-port", "1")
                .https();
        assertEquals("b", https.redirectHost());
        assertEquals(
                "0.0.0.0",
                config("listen", "inherited:?tls=on", "tls-self-signed", "on", "redirect-port", "1")
                        .https()
                        .redirectHost());
        assertFails(
                "redirect-port redirects to HTTPS, but no listener of listen speaks HTTPS (from --redirect-port)",
                "http://a:1",
                "80");
        assertFails(
                "redirect-port needs redirect-to-port, since no listener with TLS has a port of its own (from"
                        + " --redirect-port)",
                "unix:/s?tls=on",
                "80");
        assertFails(
                "redirect-port must not be the port of a listener: 80 is the port of http://b:80 (from"
                        + " --redirect-port)",
                "https://b:2,http://b",
                "80");
    }

    private static void assertFails(String message, String listen, String redirectPort) {
        assertEquals(
                message,
                assertThrows(
                                ConfigurationException.class,
                                () -> config("listen", listen, "tls-self-signed", "on", "redirect-port", redirectPort))
                        .getMessage());
    }

    @Test
    void clientsOfUnixDomainSocketsAreTrustedOnlyIfTheKeyTrustedProxiesContainsUnix() throws Exception {
        UnixDomainSocketAddress client = UnixDomainSocketAddress.of("");
        InetAddress network = InetAddress.getByName("10.0.0.1");
        TrustedProxies unix = config("trusted-proxies", "unix").proxies();
        assertTrue(unix.isOn());
        assertTrue(unix.trust(client));
        assertFalse(unix.trust(network));
        TrustedProxies both = config("trusted-proxies", "10.0.0.0/8, unix").proxies();
        assertTrue(both.trust(client));
        assertTrue(both.trust(network));
        TrustedProxies other = config("trusted-proxies", "10.0.0.0/8").proxies();
        assertFalse(other.trust(client));
        assertFalse(ServerConfig.defaults().proxies().trust(client));
        assertTrue(config("listen", "unix:/s?proxy-protocol=on", "trusted-proxies", "unix")
                .proxies()
                .isOn());
    }
}
