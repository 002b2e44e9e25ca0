package io.penstock.arquillian;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jboss.arquillian.container.spi.ConfigurationException;

/**
 * A user that can log in.
 *
 * @param password the password; empty for a user that can log in only with a certificate
 */
record TestUser(String name, String password, Set<String> roles) {
    /**
     * Matches the separators of users: line ends and semicolons. The semicolon is necessary, because Arquillian replaces line ends with
     * spaces.
     */
    static final Pattern LINES = Pattern.compile("[;\\n\\r]");

    private static final Pattern COLUMNS = Pattern.compile("\\|");

    TestUser {
        roles = Set.copyOf(roles);
    }

    static List<TestUser> parse(String lines) throws ConfigurationException {
        return LINES.splitAsStream(lines)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(TestUser::of)
                .toList();
    }

    private static TestUser of(String line) throws ConfigurationException {
        List<String> columns = COLUMNS.splitAsStream(line).map(String::strip).toList();
        if (columns.size() != 3 || columns.get(0).isEmpty()) {
            throw new ConfigurationException("users: not 'name | password | roles': " + line);
        }
        Set<String> roles = Pattern.compile(",")
                .splitAsStream(columns.get(2))
                .map(String::strip)
                .filter(role -> !role.isEmpty())
                .collect(Collectors.toSet());
        return new TestUser(columns.get(0), columns.get(1), roles);
    }
}
