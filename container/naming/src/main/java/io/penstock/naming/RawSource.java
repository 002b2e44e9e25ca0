package io.penstock.naming;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.DriverSource;
import io.penstock.environment.EnvironmentException;
import java.sql.Driver;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Creates the data source that a definition describes. This data source has no pool. {@link PooledSource} adds a pool. */
final class RawSource {
    private final DataSourceDefinition definition;
    private final DriverLoader loader;

    private RawSource(DataSourceDefinition definition, DriverLoader loader) {
        this.definition = definition;
        this.loader = loader;
    }

    static DataSource of(DataSourceDefinition definition, DriverLoader loader) throws EnvironmentException {
        RawSource source = new RawSource(definition, loader);
        return definition.className() == null ? source.byUrl(null) : source.byClass(definition.className());
    }

    private EnvironmentException failure(String problem, @Nullable Throwable cause) {
        return new EnvironmentException(
                definition.at() + ": the data source '" + definition.name() + "' " + problem, cause);
    }

    private DataSource byUrl(@Nullable Driver given) throws EnvironmentException {
        String url = definition.url();
        if (url == null) {
            throw failure("has no URL", null);
        }
        Driver driver = given != null ? given : loader.driver(url);
        if (driver == null) {
            throw failure(
                    "has the URL " + shown(url) + ", which no driver of the application or the server accepts", null);
        }
        return new DriverSource(driver, url, definition.user(), definition.password(), definition.properties());
    }

    /** The URL without parameters, because parameters can contain a password. */
    private static String shown(String url) {
        int end = url.indexOf('?') >= 0 ? url.indexOf('?') : url.indexOf(';');
        return end < 0 ? url : url.substring(0, end);
    }

    private DataSource byClass(String className) throws EnvironmentException {
        Class<?> type = loader.find(className);
        if (type == null) {
            throw failure("is of the class " + className + ", which neither the application nor the server has", null);
        }
        try {
            Object made = type.getDeclaredConstructor().newInstance();
            if (made instanceof Driver driver) {
                return byUrl(driver);
            }
            if (made instanceof DataSource source) {
                new BeanProperties(source, definition.at()).set(properties());
                return source;
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            throw failure("cannot be made of the class " + className + ": " + e, e);
        }
        throw failure(
                "is of the class " + className + ", which is neither a javax.sql.DataSource nor a java.sql.Driver",
                null);
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        put(properties, "url", definition.url());
        put(properties, "serverName", definition.serverName());
        put(properties, "portNumber", definition.portNumber());
        put(properties, "databaseName", definition.databaseName());
        put(properties, "user", definition.user());
        put(properties, "password", definition.password());
        properties.putAll(definition.properties());
        return properties;
    }

    private static void put(Map<String, String> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value.toString());
        }
    }
}
