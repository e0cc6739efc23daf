import { Button } from '@mantine/core';
import { DataTable, type Column } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import type { Reading } from '../../parts/stale-data-warning';
import { useSearchState } from '../../parts/use-search-state';
import { endpointColumns, keyColumns, modelColumns } from './statistics-columns';
import { useEndpointStatistics, useKeyStatistics, useModelStatistics, type Question } from './statistics-query';
import { ENDPOINT_SORTS, TOKEN_SORTS, useQuestion } from './use-question';

export function EndpointTable() {
  const question = useQuestion(ENDPOINT_SORTS);
  const response = useEndpointStatistics(question);
  const columns = endpointColumns(question);
  return <Ranking label="Endpoints" {...{ question, response, columns }} rowId={({ endpoint }) => endpoint} />;
}

export function KeyTable() {
  const question = useQuestion(TOKEN_SORTS);
  const response = useKeyStatistics(question);
  return <Ranking label="Keys" {...{ question, response }} columns={keyColumns()} rowId={({ key_id }) => key_id} />;
}

export function ModelTable() {
  const question = useQuestion(TOKEN_SORTS);
  const response = useModelStatistics(question);
  const columns = modelColumns(question);
  return <Ranking label="Models" {...{ question, response, columns }} rowId={({ model }) => model} />;
}

interface Props<T> {
  readonly label: string;
  readonly question: Question<string>;
  readonly response: Reading & { readonly data: readonly T[] | undefined };
  readonly columns: readonly Column<T>[];
  readonly rowId: (row: T) => string;
}

function Ranking<T>({ label, question, response, columns, rowId }: Props<T>) {
  return (
    <>
      <h2 className="visually-hidden">{label}</h2>
      <DataTable
        label={`${label} in the sample`}
        columns={columns}
        rows={response.data}
        rowId={rowId}
        reading={response}
        sorting={{ by: question.sortBy, dir: question.sortDir }}
        empty={<NothingSampled filtered={question.keyId !== null || question.model !== null} />}
      />
    </>
  );
}

function NothingSampled({ filtered }: { readonly filtered: boolean }) {
  const { set } = useSearchState();
  if (filtered)
    return (
      <EmptyState title="No matching requests in the sample">
        Choose a longer period or clear the filters.
        <br />
        <Button mt="sm" variant="default" onClick={() => set({ key_id: null, model: null })}>
          Clear filters
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title="No requests in the sample yet">
      The sample contains only a part of the requests, so the first ones are often missing. To sample more, restart the
      gateway with a higher <code>GW_LOG_SAMPLE_RATE</code> (<code>1</code> samples every request). Usage counts all
      requests.
    </EmptyState>
  );
}
