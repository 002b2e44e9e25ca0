package io.penstock.arquillian;

import io.penstock.Penstock;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Properties;
import org.jboss.arquillian.container.spi.ConfigurationException;
import org.jboss.arquillian.container.spi.client.container.ContainerConfiguration;

/** The configuration of the container in {@code arquillian.xml}. Each setter belongs to a {@code <property>} in this file. */
public final class PenstockConfiguration implements ContainerConfiguration {
    private String host = "localhost";
    private int port;
    private String settings = "";
    private List<TestUser> users = List.of();
    private boolean ignoreRefusedArchives;

    public String getHost() {
        return host;
    }

    /** Sets the host name of the server. The server binds to this name, and tests use it in URLs. The default is {@code localhost}. */
    public void setHost(String host) {
        this.host = host;
    }

    public int getPort() {
        return port;
    }

    /** Sets the TCP port. The default 0 means any free port. */
    public void setPort(int port) {
        this.port = port;
    }

    public String getSettings() {
        return settings;
    }

    /**
     * Sets keys of the configuration reference, separated by semicolons: {@code body-limit = 10M; workers = 4}. If the keys contain a
     * certificate, the server supports only HTTPS. The URLs of Arquillian begin with {@code http:}, so tests must change the scheme to
     * {@code https:}.
     */
    public void setSettings(String settings) {
        this.settings = settings;
    }

    /**
     * Sets the users, separated by semicolons. The form of a user is {@code name | password | role, role}. A user without a password can
     * log in only with a certificate.
     */
    public void setUsers(String lines) {
        users = TestUser.parse(lines);
    }

    public boolean isIgnoreRefusedArchives() {
        return ignoreRefusedArchives;
    }

    /**
     * Sets whether the tests of an archive run although the server has refused the archive. Then its URLs answer 404, and the log has the
     * reason. With the default {@code false}, the test class fails.
     */
    public void setIgnoreRefusedArchives(boolean ignoreRefusedArchives) {
        this.ignoreRefusedArchives = ignoreRefusedArchives;
    }

    @Override
    public void validate() throws ConfigurationException {
        keys();
    }

    private Properties keys() throws ConfigurationException {
        Properties keys = new Properties();
        try {
            keys.load(new StringReader(TestUser.LINES.matcher(settings).replaceAll("\n")));
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigurationException("settings: " + e.getMessage(), e);
        }
        return keys;
    }

    /** Returns the builder of a server with this configuration, and without applications. */
    Penstock.Builder server() {
        Penstock.Builder builder = Penstock.builder().host(host).port(port);
        Properties keys = keys();
        keys.stringPropertyNames().forEach(key -> builder.set(key, keys.getProperty(key)));
        return users.isEmpty() ? builder : builder.realm(new TestRealm(users));
    }
}
