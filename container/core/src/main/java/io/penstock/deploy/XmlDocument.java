package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/**
 * A parsed descriptor.
 *
 * @param root the root element
 * @param version the version that the DOCTYPE names, {@code 2.2} or {@code 2.3}, or null if the descriptor has no such DOCTYPE
 */
record XmlDocument(XmlElement root, @Nullable String version) {}
