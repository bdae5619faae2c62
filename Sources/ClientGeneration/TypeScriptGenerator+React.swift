extension TypeScriptGenerator {
  /// A file with React hooks over a generated client.
  ///
  /// - Parameter client: The module specifier of the client's file, such as `./hearth.js`.
  package static func reactHooks(importing client: String) -> String {
    """
    \(GeneratedFile.mark) typescript`. What is changed here is lost.
    /* eslint-disable */

    import {
      createContext, createElement, type ReactElement, type ReactNode, useCallback, useContext, useEffect, useRef, useState,
    } from "react";
    import {
      type Arguments, type HearthClient, HearthError, type MutationOptions, type RequestOptions,
      type SubscriptionOptions, type TypedDocument,
    } from \(literal(client));

    """ + ClientSources.react
  }
}
