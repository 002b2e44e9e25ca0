package io.penstock.environment;

import java.util.List;

/**
 * The environment declarations of one application, merged from descriptor, fragments and annotations.
 *
 * @param application the name that the operator has given to the application, for messages
 * @param contextPath the context path: {@code /} for the root, or {@code /name}. If the context has a host, the host comes first: {@code
 *     //www.example.org/name}
 * @param module the name of the module, from the descriptor or else from the context path
 * @param loader the application's class loader
 * @param entries the entries in order; each name occurs once
 * @param references the references in order; each name occurs once
 * @param dataSources the data sources in order; each name occurs once
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

    /** An {@code env-entry}. The value has the declared type. */
    public record Entry(String name, Object value, String at) {}
}
