package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.DirectMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the messages for invalid configurations. Each message is one line, with the key and the source of the value. */
class BadConfigurationTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        workers             | many          | workers: 'many' is not a whole number
        workers             | 4.5           | workers: '4.5' is not a whole number
        workers             | 99999999999   | workers: '99999999999' is not a whole number
        workers             | 0             | workers must be at least 1, not 0
        port                | -1            | port must be at least 0, not -1
        port                | 65536         | port must be at most 65535, not 65536
        listen              | ftp://a       | listen names 'ftp://a', which is not like http://127.0.0.1:8080, https://:8443, unix:/run/penstock/http.sock or inherited:
        listen              | 8080          | listen names '8080', which is not like http://127.0.0.1:8080, https://:8443, unix:/run/penstock/http.sock or inherited:
        listen              | http://a/b    | listen names 'http://a/b', which is not like http://127.0.0.1:8080, https://:8443, unix:/run/penstock/http.sock or inherited:
        listen              | http://:1,    | listen names '', which is not like http://127.0.0.1:8080, https://:8443, unix:/run/penstock/http.sock or inherited:
        listen              | http://::1:80 | listen names 'http://::1:80', which has no port between 0 and 65535 behind its host
        listen              | http://a:x    | listen names 'http://a:x', which has no port between 0 and 65535 behind its host
        listen              | http://a:     | listen names 'http://a:', which has no port between 0 and 65535 behind its host
        listen              | http://a:65536 | listen names 'http://a:65536', which has no port between 0 and 65535 behind its host
        listen              | http://[::g]:1 | listen names 'http://[::g]:1', which has no IPv6 address in its brackets
        listen              | http://[1.2.3.4]:1 | listen names 'http://[1.2.3.4]:1', which has no IPv6 address in its brackets
        listen              | https://:8443 | listen names 'https://:8443', which needs a certificate: tls-cert, tls-keystore, acme or tls-self-signed
        listen              | inherited:?tls=on | listen names 'inherited:?tls=on', which needs a certificate: tls-cert, tls-keystore, acme or tls-self-signed
        listen              | inherited:3   | listen names 'inherited:3', which is not like http://127.0.0.1:8080, https://:8443, unix:/run/penstock/http.sock or inherited:
        listen              | unix:         | listen names 'unix:', which names no file
        listen              | unix:/s?mode=8 | listen names 'unix:/s?mode=8', which needs a mode of three octal digits, such as 660
        listen              | unix:/s?mode=0999 | listen names 'unix:/s?mode=0999', which needs a mode of three octal digits, such as 660
        listen              | unix:/s?mode  | listen names 'unix:/s?mode', which has the option 'mode' without a value
        listen              | unix:/s?mode=660&mode=600 | listen names 'unix:/s?mode=660&mode=600', which has the option mode twice
        session-timeout     | 90s | session-timeout must be a time in whole minutes, such as 20m, not '90s'
        session-cookie-name | a=b | session-cookie-name must be a name without blanks and separators, such as SHOPID, not 'a=b'
        session-cookie-path | /a;b | session-cookie-path must be a path as in a URL, such as / or /my%20shop, not '/a;b'
        session-cookie-path | /%zz | session-cookie-path must be a path as in a URL, such as / or /my%20shop, not '/%zz'
        session-cookie-domain | .a.org | session-cookie-domain must be a domain such as example.org, in ASCII and without a dot before it or a port, not '.a.org'
        session-cookie-max-age | 1500ms | session-cookie-max-age must be a time in whole seconds, such as 720h, not '1500ms'
        session-cookie-http-only | no | session-cookie-http-only must be on or off, not 'no'
        session-cookie-secure | off | session-cookie-secure must be auto or on, not 'off'
        session-tracking | ssl | session-tracking must be cookie, url or cookie,url, not 'ssl'
        session-cookie-same-site | no | session-cookie-same-site must be lax, strict or none, not 'no'
        listen              | unix:/s?user=me | listen names 'unix:/s?user=me', which has the unknown option user
        listen              | http://:1?mode=660 | listen names 'http://:1?mode=660', which has the unknown option mode
        listen              | http://:1?tls=on | listen names 'http://:1?tls=on', which has the unknown option tls
        listen              | http://:1?proxy-protocol=v2 | listen names 'http://:1?proxy-protocol=v2', which needs on or off for proxy-protocol
        listen              | http://:1?proxy-protocol=on | listen expects PROXY headers at 0.0.0.0:1, which needs a network in trusted-proxies
        listen              | unix:/s?proxy-protocol=on | listen expects PROXY headers at unix:/s, which needs the word unix in trusted-proxies
        listen              | http://a:1,http://a:1 | listen names 'http://a:1', which is there twice
        listen              | unix:/s,unix:/s?mode=600 | listen names 'unix:/s?mode=600', which is there twice
        listen              | inherited:,inherited: | listen names 'inherited:', which is there twice
        pipe-capacity       | 64KB          | pipe-capacity: '64KB' is not a number of bytes such as 4096, 64K, 100M or 1G
        pipe-capacity       | 8K            | pipe-capacity must be at least 16K, not 8K
        pipe-capacity       | 4G            | pipe-capacity must be at most 2147483647, not 4G
        pipe-budget         | 255K          | pipe-budget must be at least 256K, not 255K
        tls-budget          | 255K          | tls-budget must be at least 256K, not 255K
        tls-threads         | 0             | tls-threads must be at least 1, not 0
        tls-tasks           | 0             | tls-tasks must be at least 1, not 0
        handshake-timeout   | 0s            | handshake-timeout must be longer than zero
        body-limit          | -1            | body-limit: '-1' is not a number of bytes such as 4096, 64K, 100M or 1G
        body-limit          | 99999999999G  | body-limit: '99999999999G' is too large
        body-limit          | 99999999999999999999 | body-limit: '99999999999999999999' is too large
        head-timeout        | 20            | head-timeout: '20' is not a time such as 500ms, 20s, 5m or 1h
        head-timeout        | 0s            | head-timeout must be longer than zero
        head-timeout        | 20 s          | head-timeout: '20 s' is not a time such as 500ms, 20s, 5m or 1h
        host                | ' '           | host: a value is missing
        realm-ldap-user     | cn=a          | realm-ldap-user needs a directory: realm-ldap-url
        realm-ldap-url      | ldap://a      | realm-ldap-url needs either realm-ldap-user-pattern or realm-ldap-user-base
        realm-ldap-url      | http://a      | realm-ldap-url must have URLs with a host and nothing behind it, such as ldaps://ldap.example.org:636, not 'http://a'
        realm-ldap-url      | ldap://a/dc=b | realm-ldap-url must have URLs with a host and nothing behind it, such as ldaps://ldap.example.org:636, not 'ldap://a/dc=b'
        realm-ldap-url      | ldap:///      | realm-ldap-url must have URLs with a host and nothing behind it, such as ldaps://ldap.example.org:636, not 'ldap:///'
        realm-ldap-user-pattern | uid=a     | realm-ldap-user-pattern needs {0}, which stands for the name, in 'uid=a'
        login-failures-user | -1           | login-failures-user must be at least 0, not -1
        login-lockout       | 0s            | login-lockout must be longer than zero
        login-failures-kept | 0             | login-failures-kept must be at least 1, not 0
        password-checks     | 0             | password-checks must be at least 1, not 0
        digest-nonces       | 0             | digest-nonces must be at least 1, not 0
        digest-secret       | short         | digest-secret must have at least 32 characters
        digest-nonce-timeout | 0s           | digest-nonce-timeout must be longer than zero
        form-login-timeout  | 0s            | form-login-timeout must be longer than zero
        saved-request-limit | 4G            | saved-request-limit must be at most 2147483647, not 4G
        half-close          | yes           | half-close must be on or off, not 'yes'
        max-connections-policy | queue      | max-connections-policy must be refuse, wait or replace, not 'queue'
        node-name           | web1.example  | node-name must be 1 to 32 letters, digits, hyphens or underscores, not 'web1.example'
        node-name           | a;b           | node-name must be 1 to 32 letters, digits, hyphens or underscores, not 'a;b'
        session-route       | node1         | session-route must be on or off, not 'node1'
        session-route       | on            | session-route needs a node-name
        admin-port          | on            | admin-port must be a port or off, not 'on'
        admin-port          | 70000         | admin-port must be at most 65535, not 70000
        admin-listeners     | -1            | admin-listeners must be at least 0, not -1
        request-metrics     | yes           | request-metrics must be on, off or auto, not 'yes'
        server-timing       | true          | server-timing must be on or off, not 'true'
        compression         | gzip          | compression must be off, precompressed or on, not 'gzip'
        compression-types   | text          | compression-types must have media types such as text/html, text/* or application/*+json, not 'text'
        compressors         | 0             | compressors must be at least 1, not 0
        compression-excluded-agents | ,     | compression-excluded-agents needs at least one text
        tls-cert            | a.pem,,b.pem  | tls-cert has an empty item before, between or behind commas
        tls-key             | a.key         | tls-key must have as many files as tls-cert, which has 0, not 1
        tls-self-signed     | yes           | tls-self-signed must be on or off, not 'yes'
        tls-client-auth     | must          | tls-client-auth must be none, want or need, not 'must'
        tls-client-auth     | need          | tls-client-auth needs a certificate of the server: tls-cert, tls-keystore, acme or tls-self-signed
        tls-trust           | a.pem         | tls-trust needs tls-client-auth, want or need
        tls-protocols       | TLSv1.3,SSLv3 | tls-protocols can have TLSv1.3 and TLSv1.2, not 'SSLv3'; older versions are not safe
        tls-reload-interval | 10            | tls-reload-interval: '10' is not a time such as 500ms, 20s, 5m or 1h
        trusted-proxies     | proxy.example | trusted-proxies has an invalid network: 'proxy.example' is neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32
        trusted-proxies     | ::1, 10.0.0.1/8 | trusted-proxies has an invalid network: '10.0.0.1/8' has bits set behind its prefix
        trusted-proxies     | 10.0.0.0/33   | trusted-proxies has an invalid network: '10.0.0.0/33' must have 0 to 32 bits
        proxy-protocol      | on            | proxy-protocol needs trusted-proxies
        proxy-protocol      | v2            | proxy-protocol must be on or off, not 'v2'
        proxy-header-timeout | 0s           | proxy-header-timeout must be longer than zero
        allowed-addresses   | none          | allowed-addresses must name a network, or be all
        allowed-addresses   | all, 10.0.0.1 | allowed-addresses has an invalid network: 'all' is neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32
        denied-addresses    | 10.0.0        | denied-addresses has an invalid network: '10.0.0' is neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32
        trace-method        | allow         | trace-method must be on or off, not 'allow'
        unknown-host        | 404           | unknown-host must be default or refuse, not '404'
        request-rate        | -1            | request-rate must be at least 0, not -1
        max-connections-address | -1        | max-connections-address must be at least 0, not -1
        request-burst       | 0             | request-burst must be at least 1, not 0
        forwarded-fields    | rfc7239       | forwarded-fields must be x-forwarded or forwarded, not 'rfc7239'
        """)
    void anInvalidValueIsReportedWithItsSource(String key, String value, String message) throws IOException {
        Key named = Key.named(key).orElseThrow();
        assertFails(message + " (from --" + key + ")", new ConfigurationSources(), sources -> sources.flag(
                        named, value, new Origin.Flag("--" + key))
                .resolve());
        assertFails(
                message + " (from " + named.variable() + ")",
                new ConfigurationSources(),
                sources -> sources.environment(Map.of(named.variable(), value)).resolve());
        Path file = write("\n" + key + " = " + value + "\n");
        assertFails(message + " (from " + file + ":2)", new ConfigurationSources(), sources -> sources.file(file)
                .resolve());
    }

    @Test
    void anUnknownKeyInAFileIsAnError() throws IOException {
        Path file = write("workers = 4\nworker = 4\n");
        assertFails(
                "unknown key 'worker'; did you mean 'workers'? (from " + file + ":2)",
                new ConfigurationSources(),
                sources -> sources.file(file));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        directory-listing | application: write /shop:directory-listing, or /:directory-listing for the root
        context-param.x   | application: write /shop:context-param.x, or /:context-param.x for the root
        max-workers       | path: write /shop:max-workers, or /:max-workers for the root
        client-auth       | host: write //www.example.org:client-auth
        """)
    void theErrorForAKeyThatOnlyAnApplicationCanHaveSaysHowToWriteIt(String key, String hint) throws IOException {
        Path file = write(key + " = on\n");
        assertFails(
                key + " is a setting of one " + hint + " (from " + file + ":1)",
                new ConfigurationSources(),
                sources -> sources.file(file));
    }

    @ParameterizedTest
    @CsvSource({
        "directory-listng, /shop:directory-listing",
        "context-param, /shop:context-param.NAME",
        "cleint-auth, //www.example.org:client-auth",
        "max-queue, /shop:max-queued",
        "sesion-timeout, session-timeout"
    })
    void theErrorForAMisspeltKeyOfAnApplicationSaysHowToWriteIt(String key, String meant) throws IOException {
        Path file = write(key + " = on\n");
        assertFails(
                "unknown key '" + key + "'; did you mean '" + meant + "'? (from " + file + ":1)",
                new ConfigurationSources(),
                sources -> sources.file(file));
    }

    @Test
    void anUnknownEnvironmentVariableIsAnErrorIfItBeginsWithPenstock() {
        assertFails(
                "unknown environment variable PENSTOCK_DIRECTORY_LISTNG; did you mean /shop:directory-listing?",
                new ConfigurationSources(),
                sources -> sources.environment(Map.of("PENSTOCK_DIRECTORY_LISTNG", "on")));
        assertFails(
                "unknown environment variable PENSTOCK_WORKER; did you mean PENSTOCK_WORKERS?",
                new ConfigurationSources(),
                sources -> sources.environment(Map.of("PENSTOCK_WORKER", "4")));
    }

    @Test
    void anEmptyEnvironmentVariableForANumberIsAnError() {
        assertFails(
                "workers: '' is not a whole number (from PENSTOCK_WORKERS)",
                new ConfigurationSources(),
                sources -> sources.environment(Map.of("PENSTOCK_WORKERS", "")));
    }

    @Test
    void aDuplicateKeyInAFileIsAnError() throws IOException {
        Path file = write("workers = 4\nworkers = 5\n");
        assertFails(
                "workers is given twice (from " + file + ":1 and " + file + ":2)",
                new ConfigurationSources(),
                sources -> sources.file(file));
    }

    @Test
    void aConfigurationFileThatIsNotUtf8IsAnError() throws IOException {
        Path file = Files.write(folder.resolve("latin.properties"), new byte[] {'h', 'o', 's', 't', '=', (byte) 0xe4});
        assertFails(
                "cannot read the configuration file " + file + ": not in UTF-8",
                new ConfigurationSources(),
                sources -> sources.file(file));
    }

    @Test
    void aMalformedUnicodeEscapeInAFileIsAnError() throws IOException {
        Path file = write("\nhost=\\u12x4\n");
        assertFails(
                "a malformed \\u escape (from " + file + ":2)",
                new ConfigurationSources(),
                sources -> sources.file(file));
    }

    @Test
    void theErrorForATooLargePipeBudgetContainsMaxDirectMemorySize() {
        Pipes usual = ServerConfig.defaults().pipes();
        BadValueException refusal = assertThrows(
                BadValueException.class,
                () -> new Pipes(usual.capacity(), usual.segment(), DirectMemory.most() + (1 << 20), usual.heads()));
        assertTrue(refusal.getMessage().contains("-XX:MaxDirectMemorySize"), refusal.getMessage());
    }

    private interface Step {
        void on(ConfigurationSources sources);
    }

    private static void assertFails(String message, ConfigurationSources sources, Step step) {
        assertEquals(
                message,
                assertThrows(ConfigurationException.class, () -> step.on(sources))
                        .getMessage());
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("test.properties"), text);
    }
}
