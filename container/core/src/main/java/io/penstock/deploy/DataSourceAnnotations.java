package io.penstock.deploy;

import io.penstock.environment.DataSourceDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code @DataSourceDefinition} and {@code @DataSourceDefinitions} of a class. The annotations are recognised by their class names.
 */
final class DataSourceAnnotations {
    private static final String ONE = "jakarta.annotation.sql.DataSourceDefinition";
    private static final String SEVERAL = "jakarta.annotation.sql.DataSourceDefinitions";
    /** The default value of the numbers in the annotation. It means that the application has not set the number. */
    private static final int ABSENT = -1;

    private static final String[] ISOLATIONS = {
        "TRANSACTION_NONE",
        "TRANSACTION_READ_UNCOMMITTED",
        "TRANSACTION_READ_COMMITTED",
        "",
        "TRANSACTION_REPEATABLE_READ",
        "",
        "",
        "",
        "TRANSACTION_SERIALIZABLE"
    };

    private final Map<?, ?> values;
    private final String at;

    private DataSourceAnnotations(Map<?, ?> values, String at) {
        this.values = values;
        this.at = at;
    }

    static List<DataSourceDefinition> of(ClassFacts facts) throws DeploymentException {
        List<Map<?, ?>> found = new ArrayList<>();
        if (facts.declared().containsKey(ONE)) {
            found.add(facts.declared().get(ONE));
        }
        if (facts.declared().getOrDefault(SEVERAL, Map.of()).get("value") instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> one) {
                    found.add(one);
                }
            }
        }
        List<DataSourceDefinition> definitions = new ArrayList<>();
        for (Map<?, ?> one : found) {
            definitions.add(new DataSourceAnnotations(one, facts.name()).definition());
        }
        return definitions;
    }

    private DataSourceDefinition definition() throws DeploymentException {
        String name = text("name");
        if (name == null) {
            throw new DeploymentException(at + ": @DataSourceDefinition has no name");
        }
        return new DataSourceDefinition(
                name,
                text("className"),
                text("url"),
                text("serverName"),
                number("portNumber"),
                text("databaseName"),
                text("user"),
                text("password"),
                values.get("loginTimeout") instanceof Integer seconds && seconds > 0 ? seconds : null,
                properties(),
                new DataSourceDefinition.Pool(
                        number("minPoolSize"), number("maxPoolSize"), number("maxIdleTime"), isolation()),
                at);
    }

    private @Nullable String text(String key) {
        return values.get(key) instanceof String text && !text.isEmpty() ? text : null;
    }

    private @Nullable Integer number(String key) {
        return values.get(key) instanceof Integer number && number != ABSENT ? number : null;
    }

    private Map<String, String> properties() throws DeploymentException {
        Map<String, String> properties = new LinkedHashMap<>();
        if (values.get("properties") instanceof List<?> list) {
            for (Object element : list) {
                String property = String.valueOf(element);
                int equals = property.indexOf('=');
                if (equals <= 0) {
                    throw new DeploymentException(at + ": @DataSourceDefinition has the property '" + property
                            + "', which is not name=value");
                }
                properties.put(property.substring(0, equals).strip(), property.substring(equals + 1));
            }
        }
        return properties;
    }

    private @Nullable String isolation() throws DeploymentException {
        Integer level = number("isolationLevel");
        if (level == null) {
            return null;
        }
        if (level < 0 || level >= ISOLATIONS.length || ISOLATIONS[level].isEmpty()) {
            throw new DeploymentException(at + ": @DataSourceDefinition has the isolation level " + level
                    + ", which java.sql.Connection does not know");
        }
        return ISOLATIONS[level];
    }
}
