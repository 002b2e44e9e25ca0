package io.penstock.deploy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds the environment elements of fragments to those of the main descriptor (Servlet 8.2.3). Declarations of the main descriptor have
 * precedence. The injection targets of a fragment's declaration are added to a declaration with the same name in the main descriptor. If
 * two fragments declare the same name, the two declarations must be equal. Thread: one thread at a time.
 */
final class EnvironmentMerge {
    private static final Set<String> CALLBACKS = Set.of("post-construct", "pre-destroy");
    private static final String TARGET = "injection-target";

    private final Set<String> ofMain = new HashSet<>();
    private final Set<String> callbacksOfMain;
    /** The elements in their order. The key is the kind and the name of an element. An element without a name has a unique key. */
    private final Map<String, XmlElement> merged = new LinkedHashMap<>();

    EnvironmentMerge(List<XmlElement> main) {
        for (XmlElement element : main) {
            String key = key(element);
            ofMain.add(key);
            // If a name is repeated, both elements are kept here. EnvironmentElements rejects the repeated name later.
            merged.put(merged.containsKey(key) ? unnamed(element) : key, element);
        }
        callbacksOfMain =
                main.stream().map(XmlElement::name).filter(CALLBACKS::contains).collect(Collectors.toSet());
    }

    void add(List<XmlElement> fragment) throws DeploymentException {
        for (XmlElement element : fragment) {
            if (!callbacksOfMain.contains(element.name())) {
                add(element);
            }
        }
    }

    private void add(XmlElement element) throws DeploymentException {
        String key = key(element);
        XmlElement known = merged.get(key);
        if (known == null) {
            merged.put(key, element);
        } else if (ofMain.contains(key) || comparableContent(known).equals(comparableContent(element))) {
            merged.put(key, withTargets(known, element));
        } else {
            throw element.error("differs from that of the same name in " + known.at() + "; web.xml must define it");
        }
    }

    List<XmlElement> result() {
        return List.copyOf(merged.values());
    }

    private String key(XmlElement element) {
        String name = name(element);
        return name == null ? unnamed(element) : element.name() + " " + name;
    }

    private String unnamed(XmlElement element) {
        return element.name() + " #" + merged.size();
    }

    private static @Nullable String name(XmlElement element) {
        return switch (element.name()) {
            case "resource-ref" -> text(element, "res-ref-name");
            case "ejb-local-ref" -> text(element, "ejb-ref-name");
            case "message-destination" -> text(element, "message-destination-name");
            default -> {
                String own = text(element, element.name() + "-name");
                yield own == null ? text(element, "name") : own;
            }
        };
    }

    private static @Nullable String text(XmlElement element, String child) {
        List<String> texts = element.texts(child);
        return texts.isEmpty() ? null : texts.get(0);
    }

    /** The content of an element, for a comparison of two elements. Source location, injection targets and descriptions are left out. */
    private static List<String> comparableContent(XmlElement element) {
        List<String> content = new ArrayList<>();
        for (XmlElement child : element.children()) {
            if (!child.name().equals(TARGET) && !child.name().equals("description")) {
                content.add(child.name() + "=" + child.text() + comparableContent(child));
            }
        }
        content.sort(null);
        return content;
    }

    private static XmlElement withTargets(XmlElement known, XmlElement added) {
        Set<List<String>> targets = known.all(TARGET).stream()
                .map(EnvironmentMerge::comparableContent)
                .collect(Collectors.toSet());
        List<XmlElement> children = new ArrayList<>(known.children());
        for (XmlElement target : added.all(TARGET)) {
            if (targets.add(comparableContent(target))) {
                children.add(target);
            }
        }
        return new XmlElement(known.name(), known.attributes(), known.text(), children, known.at());
    }
}
