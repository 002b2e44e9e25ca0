package io.penstock.environment;

import java.util.List;

/**
 * What one application declares of its environment, as descriptor, fragments and annotations say together.
 *
 * @param application what the operator named, for messages
 * @param contextPath {@code /} for the root, or {@code /name}
 * @param module the module's name: that of the descriptor, or what the context path says
 * @param loader the application's classes
 * @param entries in order, each name once
 * @param references in order, each name once
 * @param dataSources in order, each name once
 */
public record Declarations(
        String application,
        String contextPath,
        String module,
        ClassLoader loader,
        List<Entry> entries,
        List<Reference> references,
        List<DataSourceDefinition> dataSources) {

    public Declarations {
        entries = List.copyOf(entries);
        references = List.copyOf(references);
        dataSources = List.copyOf(dataSources);
    }

    /** An {@code env-entry} with its value, converted to its type. */
    public record Entry(String name, Object value, String at) {}
}
