package io.penstock.deploy;

import io.penstock.deploy.WebXml.Dispatcher;
import io.penstock.deploy.WebXml.FilterDeclaration;
import io.penstock.deploy.WebXml.FilterMapping;
import io.penstock.deploy.WebXml.ListenerDeclaration;
import io.penstock.deploy.WebXml.Multipart;
import io.penstock.deploy.WebXml.Parameter;
import io.penstock.deploy.WebXml.ServletDeclaration;
import io.penstock.deploy.WebXml.ServletMapping;
import io.penstock.mapping.UrlPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts the Servlet annotations of one class to a descriptor (Servlet 8.1). */
final class AnnotatedClass {
    private static final String PACKAGE = "jakarta.servlet.annotation.";

    private final ClassFacts facts;
    private final SourceLocation at;

    AnnotatedClass(ClassFacts facts, SourceLocation at) {
        this.facts = facts;
        this.at = at;
    }

    /** Whether the class has Servlet annotations. */
    static boolean concerns(ClassFacts facts) {
        return facts.declared().keySet().stream().anyMatch(type -> type.startsWith(PACKAGE));
    }

    void declareIn(WebXmlDraft draft) throws DeploymentException {
        Map<String, Object> servlet = facts.declared().get(PACKAGE + "WebServlet");
        if (servlet != null) {
            declareServlet(servlet, draft);
        }
        Map<String, Object> filter = facts.declared().get(PACKAGE + "WebFilter");
        if (filter != null) {
            declareFilter(filter, draft);
        }
        if (facts.declared().containsKey(PACKAGE + "WebListener")) {
            draft.listeners.add(new ListenerDeclaration(facts.name(), at));
        }
    }

    private void declareServlet(Map<String, Object> values, WebXmlDraft draft) throws DeploymentException {
        String name = text(values, "name", facts.name());
        Object order = values.get("loadOnStartup");
        draft.servlets.add(new ServletDeclaration(
                name,
                facts.name(),
                null,
                parameters(values),
                order instanceof Integer number ? number : null,
                null,
                (Boolean) values.get("asyncSupported"),
                multipart(),
                null,
                List.of(),
                at));
        List<String> patterns = patterns(values, "WebServlet", UrlPattern::parse);
        if (!patterns.isEmpty()) {
            draft.servletMappings.add(new ServletMapping(name, patterns, at));
        }
    }

    private void declareFilter(Map<String, Object> values, WebXmlDraft draft) throws DeploymentException {
        String name = text(values, "filterName", facts.name());
        draft.filters.add(new FilterDeclaration(
                name, facts.name(), parameters(values), (Boolean) values.get("asyncSupported"), at));
        List<Dispatcher> dispatchers = new ArrayList<>();
        for (String type : strings(values, "dispatcherTypes")) {
            dispatchers.add(Dispatcher.valueOf(type));
        }
        List<String> patterns = patterns(values, "WebFilter", UrlPattern::ofFilter);
        List<String> servlets = strings(values, "servletNames");
        if (!patterns.isEmpty() || !servlets.isEmpty()) {
            draft.filterMappings.add(new FilterMapping(name, patterns, servlets, dispatchers, at));
        }
    }

    private @Nullable Multipart multipart() {
        Map<String, Object> values = facts.declared().get(PACKAGE + "MultipartConfig");
        if (values == null) {
            return null;
        }
        return new Multipart(
                text(values, "location", ""),
                values.get("maxFileSize") instanceof Long size ? size : -1,
                values.get("maxRequestSize") instanceof Long size ? size : -1,
                values.get("fileSizeThreshold") instanceof Integer size ? size : 0);
    }

    private List<String> patterns(Map<String, Object> values, String annotation, Function<String, UrlPattern> parser)
            throws DeploymentException {
        List<String> shortForm = strings(values, "value");
        List<String> patterns = strings(values, "urlPatterns");
        if (!shortForm.isEmpty() && !patterns.isEmpty()) {
            throw new DeploymentException(at, "@" + annotation + " has both value and urlPatterns");
        }
        List<String> checked = new ArrayList<>();
        for (String pattern : shortForm.isEmpty() ? patterns : shortForm) {
            try {
                checked.add(parser.apply(pattern).text());
            } catch (IllegalArgumentException e) {
                throw new DeploymentException(at, "@" + annotation + ": " + e.getMessage());
            }
        }
        return checked;
    }

    private List<Parameter> parameters(Map<String, Object> values) {
        List<Parameter> parameters = new ArrayList<>();
        if (values.get("initParams") instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> parameter) {
                    parameters.add(new Parameter(
                            String.valueOf(parameter.get("name")), String.valueOf(parameter.get("value")), at));
                }
            }
        }
        return parameters;
    }

    private static String text(Map<String, Object> values, String name, String otherwise) {
        return values.get(name) instanceof String text && !text.isEmpty() ? text : otherwise;
    }

    private static List<String> strings(Map<String, Object> values, String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
