package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/**
 * A parsed descriptor.
 *
 * @param version the version of the DOCTYPE, as in Servlet 2.2 and 2.3; null without such a DOCTYPE
 */
record XmlDocument(XmlElement root, @Nullable String version) {}
