package io.penstock.arquillian;

import io.penstock.Penstock;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Properties;
import org.jboss.arquillian.container.spi.ConfigurationException;
import org.jboss.arquillian.container.spi.client.container.ContainerConfiguration;

/** What {@code arquillian.xml} says about the container; each setter is a {@code <property>} there. */
public final class PenstockConfiguration implements ContainerConfiguration {
    private String host = "localhost";
    private int port;
    private String settings = "";
    private List<TestUser> users = List.of();

    public String getHost() {
        return host;
    }

    /** Name by which tests reach the server, and to which it binds: {@code localhost} by default. */
    public void setHost(String host) {
        this.host = host;
    }

    public int getPort() {
        return port;
    }

    /** TCP port; 0, the default, takes a free one. */
    public void setPort(int port) {
        this.port = port;
    }

    public String getSettings() {
        return settings;
    }

    /**
     * Keys of the configuration reference, separated by semicolons: {@code body-limit = 10M; workers = 4}. With a certificate the server speaks
     * HTTPS only; Arquillian's URLs still begin with {@code http:}.
     */
    public void setSettings(String settings) {
        this.settings = settings;
    }

    /** Separated by semicolons: {@code name | password | role, role}. Who has no password logs in by a certificate only. */
    public void setUsers(String lines) {
        users = TestUser.parse(lines);
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

    /** The server as it is configured here, without applications. */
    Penstock.Builder server() {
        Penstock.Builder builder = Penstock.builder().host(host).port(port);
        Properties keys = keys();
        keys.stringPropertyNames().forEach(key -> builder.set(key, keys.getProperty(key)));
        return users.isEmpty() ? builder : builder.realm(new TestRealm(users));
    }
}
