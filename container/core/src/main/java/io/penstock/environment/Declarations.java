package io.penstock.environment;

import java.util.List;

/**
 * The environment declarations of one application, merged from descriptor, fragments and annotations.
 *
 * @param application the name that the operator has given to the application, for messages
 * @param contextPath {@code /} for the root, {@code /name}, or, with a host, {@code //www.example.org/name}
 * @param module the module's name: from the descriptor, or from the context path
 * @param loader the application's class loader
 * @param entries in order; each name occurs once
 * @param references in order; each name occurs once
 * @param dataSources in order; each name occurs once
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

    /** An {@code env-entry}. The value has been converted to its type. */
    public record Entry(String name, Object value, String at) {}
}
