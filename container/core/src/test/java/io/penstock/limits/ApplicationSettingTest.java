package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.ConfigTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the settings of single applications. These settings have the same sources as settings of the server: options, the environment and
 * a file.
 */
class ApplicationSettingTest {

    @TempDir
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("test.properties"), text);
    }

    private static List<String> scans(Configuration configuration, String contextPath) {
        return configuration.application(contextPath).excludedScans().stream()
                .map(scan -> scan.value() + " " + scan.origin())
                .toList();
    }

    @Test
    void theConfigurationFileCanHaveSettingsOfApplications() throws IOException {
        Path file = file(
                "workers = 4\n\n/shop:exclude-scan = a.jar, b.jar\n  /:exclude-scan=c.jar\n/x\\:exclude-scan d.jar");
        Configuration configuration = new ConfigurationSources().file(file).resolve();
        assertEquals(List.of("a.jar " + file + ":3", "b.jar " + file + ":3"), scans(configuration, "/shop"));
        assertEquals(List.of("c.jar " + file + ":4"), scans(configuration, "/"));
        assertEquals(List.of("c.jar " + file + ":4"), scans(configuration, ""));
        assertEquals(List.of("d.jar " + file + ":5"), scans(configuration, "/x"));
        assertEquals(List.of(), scans(configuration, "/other"));
    }

    @Test
    void applicationsWithTheSamePathOnDifferentHostsHaveSeparateSettings() throws IOException {
        Path file = file("/shop:exclude-scan = a.jar\n//WWW.example.org./shop:exclude-scan = b.jar\n"
                + "//*.example.org/shop\\:exclude-scan = c.jar\n  //[2001:DB8::1]/shop:exclude-scan = d.jar\n"
                + "//www.example.org:exclude-scan = e.jar\n");
        Configuration configuration = new ConfigurationSources().file(file).resolve();
        assertEquals(List.of("a.jar " + file + ":1"), scans(configuration, "/shop"));
        assertEquals(List.of("b.jar " + file + ":2"), scans(configuration, "//www.example.org/shop"));
        assertEquals(List.of("c.jar " + file + ":3"), scans(configuration, "//*.example.org/shop"));
        assertEquals(List.of("d.jar " + file + ":4"), scans(configuration, "//[2001:db8:0::1]/shop"));
        assertEquals(List.of("e.jar " + file + ":5"), scans(configuration, "//www.example.org/"));
        assertEquals(List.of(), scans(configuration, "/"));
    }

    @Test
    void anOptionOverridesTheEnvironmentAndTheEnvironmentOverridesTheFile() throws IOException {
        Path file = file("/a:exclude-scan = file\n/b:exclude-scan = file\n/c:exclude-scan = file\n");
        Configuration configuration = new ConfigurationSources()
                .flag("/a:exclude-scan", "flag", new Origin.Flag("--/a:exclude-scan"))
                .environment(
                        Map.of("PENSTOCK_APPLICATIONS", "/a:exclude-scan=environment\n/b:exclude-scan=environment"))
                .file(file)
                .resolve();
        assertEquals(List.of("flag --/a:exclude-scan"), scans(configuration, "/a"));
        assertEquals(List.of("environment PENSTOCK_APPLICATIONS, line 2"), scans(configuration, "/b"));
        assertEquals(List.of("file " + file + ":3"), scans(configuration, "/c"));
    }

    @Test
    void scanExclusionsOfTheServerApplyToAllApplications() {
        Configuration configuration = new ConfigurationSources()
                .flag("exclude-scan", "all.jar", new Origin.Code())
                .flag("/shop:exclude-scan", "own.jar", new Origin.Code())
                .resolve();
        assertEquals(List.of("all.jar code", "own.jar code"), scans(configuration, "/shop"));
        assertEquals(List.of("all.jar code"), scans(configuration, "/other"));
    }

    @Test
    void thePrintedSettingsContainTheSettingsOfApplications() {
        Configuration configuration = new ConfigurationSources()
                .flag("/shop:exclude-scan", "own.jar", new Origin.Code())
                .resolve();
        String table = ConfigTable.of(configuration).replaceAll(" +", " ");
        assertTrue(table.contains("/shop:exclude-scan = own.jar code\n"), table);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /shop:exclude-scam      | a.jar | unknown key 'exclude-scam' of the application /shop; did you mean 'exclude-scan'?
        /shop:workers           | 4     | workers is a setting of the whole server: write it without /shop
        /shop                   | a.jar | unknown key '/shop': a setting of an application is written /context:key (more: docs/configuration.md#settings-of-one-application)
        /shop/:exclude-scan     | a.jar | '/shop/:exclude-scan': the context path must be / or like /shop, not '/shop/'
        /a//b:exclude-scan      | a.jar | '/a//b:exclude-scan': the context path must be / or like /shop, not '/a//b'
        //a_b.c!/x:exclude-scan | a.jar | '//a_b.c!/x:exclude-scan': a context of a host is written //www.example.org/shop, //*.example.org/ or //[2001:db8::1]/, without a port and in ASCII, not '//a_b.c!/x'
        /shop:exclude-scan      | ,     | /shop:exclude-scan: a value is missing
        /shop:context-param     | x     | unknown key 'context-param' of the application /shop; did you mean 'context-param.NAME'?
        /shop:context-param.    | x     | unknown key 'context-param.' of the application /shop; did you mean 'context-param.NAME'?
        /shop:env               | x     | unknown key 'env' of the application /shop
        /shop:env-type.limit    | int   | /shop:env-type.limit: must be one of the classes java.lang.String, java.lang.Boolean, java.lang.Byte, java.lang.Character, java.lang.Short, java.lang.Integer, java.lang.Long, java.lang.Float, java.lang.Double, java.lang.Class, or an enum of the application, not 'int'
        /shop:session-timeout   | 20    | /shop:session-timeout: '20' is not a time such as 500ms, 20s, 5m or 1h
        /shop:session-timeout   | 90s   | /shop:session-timeout: must be a time in whole minutes, such as 20m, not '90s'
        /shop:session-cookie-name | a b | /shop:session-cookie-name: must be a name without blanks and separators, such as SHOPID, not 'a b'
        /shop:session-cookie-path | shop | /shop:session-cookie-path: must be a path as in a URL, such as / or /my%20shop, not 'shop'
        /shop:session-cookie-domain | a_b.org | /shop:session-cookie-domain: must be a domain such as example.org, in ASCII and without a dot before it or a port, not 'a_b.org'
        /shop:session-cookie-domain | a.org:80 | /shop:session-cookie-domain: must be a domain such as example.org, in ASCII and without a dot before it or a port, not 'a.org:80'
        /shop:session-cookie-domain | a..org | /shop:session-cookie-domain: must be a domain such as example.org, in ASCII and without a dot before it or a port, not 'a..org'
        /shop:session-cookie-domain | -a.org | /shop:session-cookie-domain: must be a domain such as example.org, in ASCII and without a dot before it or a port, not '-a.org'
        /shop:session-cookie-secure | off | /shop:session-cookie-secure: must be auto or on, not 'off'
        /shop:session-cookie-same-site | Lax | /shop:session-cookie-same-site: must be lax, strict or none, not 'Lax'
        /shop:request-encoding  | latin | /shop:request-encoding: must be a charset such as UTF-8, not 'latin'
        /shop:compression       | gzip  | /shop:compression: must be off, precompressed or on, not 'gzip'
        /shop:directory-listing | yes   | /shop:directory-listing: must be on or off, not 'yes'
        /shop:try-files         | index.html | /shop:try-files: 'index.html' is not the path of a file, such as /index.html
        /shop:max-workers       | 0     | /shop:max-workers: must be at least 1, not 0
        /shop:max-workers       | many  | /shop:max-workers: 'many' is not a whole number
        /shop:max-queued        | -1    | /shop:max-queued: must be at least 0, not -1
        /shop:max-spool-writes  | 0     | /shop:max-spool-writes: must be at least 1, not 0
        /shop:client-auth       | need  | '/shop:client-auth': client-auth is for a host with all its contexts, as in //www.example.org:client-auth
        //a/x:client-auth       | need  | '//a/x:client-auth': client-auth is for a host with all its contexts, as in //www.example.org:client-auth
        //a:client-auth         | yes   | //a:client-auth: must be none, want or need, not 'yes'
        /shop:try-files         | /     | /shop:try-files: '/' is not the path of a file, such as /index.html
        """)
    void anInvalidSettingIsReportedWithFileAndLine(String name, String value, String message) throws IOException {
        Path file = file("\n" + name + " = " + value + "\n");
        assertEquals(
                message + " (from " + file + ":2)",
                assertThrows(ConfigurationException.class, () -> new ConfigurationSources().file(file))
                        .getMessage());
    }

    @Test
    void twoLinesForTheSameSettingAreAnError() throws IOException {
        Path file = file("/shop:exclude-scan = a\n/shop:exclude-scan = b\n");
        assertEquals(
                "/shop:exclude-scan is given twice (from " + file + ":1 and " + file + ":2)",
                assertThrows(ConfigurationException.class, () -> new ConfigurationSources().file(file))
                        .getMessage());
    }

    @Test
    void theValueOfAParameterIsHiddenIfItsNameContainsPassword() {
        Configuration configuration = new ConfigurationSources()
                .flag("/shop:context-param.mail.Password", "geheim", new Origin.Code())
                .flag("/shop:context-param.mail.user", "shop", new Origin.Code())
                .resolve();
        String table = ConfigTable.of(configuration).replaceAll(" +", " ");
        assertTrue(table.contains("/shop:context-param.mail.Password = (hidden) code\n"), table);
        assertTrue(table.contains("/shop:context-param.mail.user = shop code\n"), table);
        assertFalse(configuration.applicationSettings().toString().contains("geheim"));
    }
}
